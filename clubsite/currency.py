"""A club's money: its currency, guessed from its time zone, and how amounts are written and read.

Amounts are whole numbers of the smallest unit: 1250 is 12.50 where a unit has a hundred parts.
"""

import re
from decimal import Decimal

from django.utils.formats import get_format, number_format
from django.utils.translation import gettext as _, pgettext_lazy

LONGEST = 9  # digits before the point; anything longer is taken for a slip
_AMOUNT = re.compile(r"(?P<whole>[0-9]{1,3}(?:[.,][0-9]{3})+|[0-9]*)(?:[.,](?P<part>[0-9]{1,2}))?")
DIGITS = {"CLP": 0, "ISK": 0, "JPY": 0, "PYG": 0}  # digits after the point; all other currencies have two
SYMBOLS = {
    **dict.fromkeys(("USD", "CAD", "AUD", "NZD", "MXN", "ARS", "CLP", "COP", "UYU"), "$"),
    "EUR": "€",
    "GBP": "£",
    "JPY": "¥",
    "PLN": "zł",
    "CRC": "₡",
    "INR": "₹",
}  # any other currency is shown by its code
CURRENCIES = [
    ("USD", pgettext_lazy("currency", "US dollar")),
    ("EUR", pgettext_lazy("currency", "euro")),
    ("GBP", pgettext_lazy("currency", "pound sterling")),
    ("CAD", pgettext_lazy("currency", "Canadian dollar")),
    ("AUD", pgettext_lazy("currency", "Australian dollar")),
    ("NZD", pgettext_lazy("currency", "New Zealand dollar")),
    ("MXN", pgettext_lazy("currency", "Mexican peso")),
    ("ARS", pgettext_lazy("currency", "Argentine peso")),
    ("CLP", pgettext_lazy("currency", "Chilean peso")),
    ("COP", pgettext_lazy("currency", "Colombian peso")),
    ("CRC", pgettext_lazy("currency", "Costa Rican colón")),
    ("PEN", pgettext_lazy("currency", "Peruvian sol")),
    ("PYG", pgettext_lazy("currency", "Paraguayan guaraní")),
    ("UYU", pgettext_lazy("currency", "Uruguayan peso")),
    ("BRL", pgettext_lazy("currency", "Brazilian real")),
    ("CHF", pgettext_lazy("currency", "Swiss franc")),
    ("CZK", pgettext_lazy("currency", "Czech koruna")),
    ("DKK", pgettext_lazy("currency", "Danish krone")),
    ("HUF", pgettext_lazy("currency", "Hungarian forint")),
    ("ISK", pgettext_lazy("currency", "Icelandic króna")),
    ("NOK", pgettext_lazy("currency", "Norwegian krone")),
    ("PLN", pgettext_lazy("currency", "Polish złoty")),
    ("SEK", pgettext_lazy("currency", "Swedish krona")),
    ("INR", pgettext_lazy("currency", "Indian rupee")),
    ("JPY", pgettext_lazy("currency", "Japanese yen")),
    ("ZAR", pgettext_lazy("currency", "South African rand")),
]

_BY_ZONE = {
    **dict.fromkeys(
        ("Europe/London", "Europe/Belfast", "Europe/Jersey", "Europe/Guernsey", "Europe/Isle_of_Man"), "GBP"
    ),
    **dict.fromkeys(("Europe/Zurich", "Europe/Vaduz"), "CHF"),
    "Europe/Prague": "CZK",
    "Europe/Copenhagen": "DKK",
    "Europe/Budapest": "HUF",
    "Atlantic/Reykjavik": "ISK",
    "Europe/Oslo": "NOK",
    "Europe/Warsaw": "PLN",
    "Europe/Stockholm": "SEK",
    "America/Costa_Rica": "CRC",
    "America/Bogota": "COP",
    "America/Lima": "PEN",
    "America/Asuncion": "PYG",
    "America/Montevideo": "UYU",
    **dict.fromkeys(("America/Santiago", "America/Punta_Arenas", "Pacific/Easter"), "CLP"),
    **dict.fromkeys(
        ("America/Mexico_City", "America/Cancun", "America/Merida", "America/Monterrey", "America/Tijuana"), "MXN"
    ),
    **dict.fromkeys(
        ("America/Toronto", "America/Vancouver", "America/Winnipeg", "America/Edmonton", "America/Regina"), "CAD"
    ),
    **dict.fromkeys(("America/Halifax", "America/St_Johns", "America/Moncton", "America/Montreal"), "CAD"),
    **dict.fromkeys(("America/Sao_Paulo", "America/Bahia", "America/Fortaleza", "America/Manaus"), "BRL"),
    **dict.fromkeys(("America/Buenos_Aires", "America/Cordoba"), "ARS"),
    **dict.fromkeys(("Pacific/Auckland", "Pacific/Chatham"), "NZD"),
    **dict.fromkeys(("Asia/Kolkata", "Asia/Calcutta"), "INR"),
    "Asia/Tokyo": "JPY",
    "Africa/Johannesburg": "ZAR",
}
_BY_PART = (
    ("America/Argentina/", "ARS"),
    ("Australia/", "AUD"),
    ("Canada/", "CAD"),
    ("America/", "USD"),
    ("US/", "USD"),
    ("Pacific/Honolulu", "USD"),
    ("Europe/", "EUR"),
)


def usual_currency(time_zone: str) -> str:
    """The most likely currency of a club in this time zone; its director can choose another.

    >>> usual_currency("America/Chicago"), usual_currency("Europe/Madrid"), usual_currency("America/Argentina/Salta")
    ('USD', 'EUR', 'ARS')
    """
    by_part = next((currency for part, currency in _BY_PART if time_zone.startswith(part)), "EUR")
    return _BY_ZONE.get(time_zone, by_part)


def decimal_places(currency: str) -> int:
    return DIGITS.get(currency, 2)


def to_whole_units(amount: int, currency: str) -> Decimal:
    """An amount given in the smallest unit, as a number of whole units.

    >>> to_whole_units(1250, "EUR"), to_whole_units(1250, "JPY")
    (Decimal('12.50'), Decimal('1250'))
    """
    return Decimal(amount).scaleb(-decimal_places(currency))


def format_money(amount: int, currency: str) -> str:
    """An amount with the sign of its currency, and a true minus sign below zero.

    >>> format_money(125000, "USD"), format_money(-500, "GBP")
    ('$1,250.00', '−£5.00')
    """
    figure = number_format(
        to_whole_units(abs(amount), currency), decimal_pos=decimal_places(currency), force_grouping=True
    )
    symbol = SYMBOLS.get(currency, f"{currency}\N{NO-BREAK SPACE}")
    # Translators: how an amount of money is written, "$12.50"; elsewhere "%(amount)s %(symbol)s".
    shown = _("%(symbol)s%(amount)s") % {"symbol": symbol, "amount": figure}
    return f"\N{MINUS SIGN}{shown.strip()}" if amount < 0 else shown.strip()


def parse_amount(text: str, currency: str) -> int | None:
    """The amount that somebody typed, in the smallest unit; None for something that isn't an amount, or could be two.
    Three digits after a point or comma are thousands.

    >>> [parse_amount(text, "USD") for text in ("12.50", "12,5", "$1,250", "1.250,00", ".5")]
    [1250, 1250, 125000, 125000, 50]
    >>> [parse_amount(text, "USD") for text in ("-3", "many", "²", "", ".", "1,2345", "12.5.0", "9999999999")]
    [None, None, None, None, None, None, None, None]
    """
    match = _AMOUNT.fullmatch(_strip_currency(text, currency))
    if match is None or possible_amounts(text, currency) or not (match["whole"] or match["part"]):
        return None
    whole, part = re.sub("[.,]", "", match["whole"]) or "0", match["part"] or ""
    if len(part) > decimal_places(currency) or len(whole) > LONGEST:
        return None
    return int(whole + part.ljust(decimal_places(currency), "0"))


def possible_amounts(text: str, currency: str) -> tuple[str, str] | None:
    """The two amounts that a typed text could mean: three digits after the decimal sign are a slip, or thousands as
    other countries write them. None for anything else.

    >>> possible_amounts("$2.505", "USD"), possible_amounts("2,505", "USD"), possible_amounts("1.250.000", "USD")
    (('2.50', '2,505'), None, None)
    """
    sign, thousands = get_format("DECIMAL_SEPARATOR"), get_format("THOUSAND_SEPARATOR")
    whole, _found, part = _strip_currency(text, currency).partition(sign)
    if not (
        decimal_places(currency) and whole.replace(thousands, "").isdecimal() and part.isdecimal() and len(part) == 3
    ):
        return None
    return f"{whole}{sign}{part[: decimal_places(currency)]}", f"{whole}{thousands}{part}"


def _strip_currency(text: str, currency: str) -> str:
    return "".join(text.replace(currency, "").replace(SYMBOLS.get(currency, currency), "").split())
