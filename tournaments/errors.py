"""The error that a verb raises when it can't be done now."""


class StepRefused(Exception):
    """A step can't be done now; nothing was changed. The message says why and what to do instead."""

    def __init__(self, message: object) -> None:
        super().__init__(str(message))
        self.message = message


class ReasonWanted(StepRefused):
    """A step needs a reason and none was given; the message asks for it."""
