"""What is done apart from requests: tasks and their workers, the files that tasks make, orders for these.

Tasks are those of django-tasks: `queue` asks for one, `manage.py worker` runs them beside its `heartbeat`, `periodic`
asks for what is due by the clock.
"""
