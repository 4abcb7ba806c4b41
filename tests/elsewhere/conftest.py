collect_ignore = ["sitecustomize.py"]  # only the emulated Python loads it
