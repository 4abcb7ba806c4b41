"""How often somebody may try to log in: few enough to stop guessing, but a guesser can't shut the right person out.

- At one name from one address: a few tries.
- From one address at all names together: a limited number, since guessers try one password with many names.
- At one name from all addresses together: never refused altogether, but while there are many wrong tries, each
  address has fewer, some seconds apart.
- A device that logged in by this name before has tries of its own, and none of the above counts for it. So has one
  that scanned the QR code of such a device, such as a new phone in a hall where somebody is guessing.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from clubsite.accounts import throttle
from clubsite.accounts.entrance.addresses import network_of
from clubsite.accounts.entrance.devices import device_of, introduced_by
from clubsite.accounts.throttle import Try

PAUSE = 20  # seconds between two tries from an address while a name is guessed at
WHEN_GUESSED = 2  # tries from an address while a name is guessed at


def tries_of(request: HttpRequest | None, username: str) -> tuple[Try, tuple[Try, ...]]:
    """The tries that a request to log in by a name takes up: its own, which a right password has forgotten, and those
    that it shares with others."""
    name, window = username.lower(), settings.LOGIN_WINDOW
    address = network_of(request) if request else ""
    device = device_of(request) if request else None
    own = introduced_by(request, name) if request else ""
    if device is not None and device.known_for(name):
        own = device.key
    if own:
        return Try(("login-device", name, own), most=settings.LOGIN_ATTEMPTS, window=window), ()
    everywhere = Try(("login-name", name), most=None, window=window)
    guessed = throttle.tries(*everywhere.parts, window=window) >= settings.LOGIN_ATTEMPTS_AT_NAME
    most = WHEN_GUESSED if guessed else settings.LOGIN_ATTEMPTS
    mine = Try(("login", name, address), most=most, window=window, pause=PAUSE if guessed else 0)
    of_address = Try(("login-address", address), most=settings.LOGIN_ATTEMPTS_FROM_ADDRESS, window=window)
    return mine, (everywhere, of_address)
