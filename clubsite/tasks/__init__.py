"""Work that no page waits for, as tasks (django-tasks): workers, the files they make, and who ordered those.

`queue.enqueue` asks for a task; `worker` runs them, taking up again what a dead worker left; `files` keeps what they
make; `orders` answers somebody who wants such a file, with the file or with a page that waits for it.
"""
