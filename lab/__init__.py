"""The workshop: what those who build the site use, and no club installs (`./dev`, or `python -m lab COMMAND`)."""
