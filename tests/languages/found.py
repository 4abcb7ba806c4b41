"""The texts of the program, looked for once by a process that asks for them."""

from functools import cache

from lab.commands.messages import messages

messages_found = cache(messages)
