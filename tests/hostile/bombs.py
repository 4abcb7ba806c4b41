"""Files that were made to cost much: small as they are sent, large as they are read."""

import io
import zipfile

DEALS = b'{"format": "nine-tables/deals", "version": 1, "games": ['
CLUB = b'{"format": "nine-tables/club-deals", "version": 1, "rules": [], "games": ['
RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LAUGH = "ha" * 50
LAUGHS = "<!DOCTYPE a [" + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else LAUGH}">' for n in range(9)) + "]>"


def _zip(parts):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return made.getvalue()


def xlsx(rows, *, strings="", styles="", before="", doctype=""):
    """A workbook of one sheet with this XML of its rows, shared strings, and cell styles."""
    types = "http://schemas.openxmlformats.org/package/2006/"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml."
    parts = {
        "sharedStrings": f"<sst xmlns='{MAIN}'>{strings}</sst>",
        "styles": f"<styleSheet xmlns='{MAIN}'>{styles}</styleSheet>",
    }
    overrides = "".join(f"<Override PartName='/xl/{n}.xml' ContentType='{kind}{n}+xml'/>" for n in parts)
    links = "".join(f"<Relationship Id='{n}' Type='{RELS}/{n}' Target='{n}.xml'/>" for n in parts)
    return _zip(
        {
            "[Content_Types].xml": f"<Types xmlns='{types}content-types'>{overrides}"
            f"<Override PartName='/xl/workbook.xml' ContentType='{kind}sheet.main+xml'/>"
            f"<Override PartName='/xl/sheet1.xml' ContentType='{kind}worksheet+xml'/></Types>",
            "_rels/.rels": f"<Relationships xmlns='{types}relationships'>"
            f"<Relationship Id='b' Type='{RELS}/officeDocument' Target='xl/workbook.xml'/></Relationships>",
            "xl/workbook.xml": f"<workbook xmlns='{MAIN}' xmlns:r='{RELS}'>"
            "<sheets><sheet name='Names' sheetId='1' r:id='s'/></sheets></workbook>",
            "xl/_rels/workbook.xml.rels": f"<Relationships xmlns='{types}relationships'>"
            f"<Relationship Id='s' Type='{RELS}/worksheet' Target='sheet1.xml'/>{links}</Relationships>",
            "xl/sheet1.xml": f"{doctype}<worksheet xmlns='{MAIN}'>{before}<sheetData>{rows}</sheetData></worksheet>",
            **{f"xl/{name}.xml": text for name, text in parts.items()},
        }
    )


def ods(rows, *, doctype=""):
    spaces = "".join(
        f" xmlns:{name}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'" for name in ("office", "table", "text")
    )
    content = f"{doctype}<office:document-content{spaces}><table:table>{rows}</table:table></office:document-content>"
    return _zip({"content.xml": content})


def xlsx_row(number, text):
    return f"<row r='{number}'><c r='A{number}' t='inlineStr'><is><t>{text}</t></is></c></row>"


def ods_row(text, more=""):
    return f"<table:table-row {more}><table:table-cell><text:p>{text}</text:p></table:table-cell></table:table-row>"


DEAL_FILES = {
    "objects in objects": lambda: b'{"a":' * 500_000,
    "lists in lists": lambda: b"[" * 150_000 + b"]" * 150_000,
    "many empty objects": lambda: b"[" + b"{}," * 1_300_000 + b"{}]",
    "as many objects as are read": lambda: DEALS + b"{}," * 159_000 + b"{}]}",
    "as many lists in a fact as are read": lambda: (
        DEALS + b'{"deals": [{"facts": {"bid": [' + b"[]," * 150_000 + b"0]}}]}]}"
    ),
    "as many fields as are read": lambda: b"{" + b",".join(b'"%d":1' % n for n in range(260_000)) + b"}",
    "as many texts as are read": lambda: DEALS + b'"\xf0\x9f\x82\xa1",' * 400_000 + b"0]}",
    "a field many times": lambda: b"{" + b'"a":1,' * 260_000 + b'"a":1}',
    "a figure of many digits": lambda: b"[" + b"9" * 4_000_000 + b"]",
    "a fraction of many digits": lambda: b"[0." + b"9" * 4_000_000 + b"]",
    "many figures that are none": lambda: b"[" + b"NaN," * 700_000 + b"1e999]",
    "as many versions as are read": lambda: (
        CLUB + b'{"deals": [{"number": 1, "versions": [' + b"{}," * 159_000 + b"{}]}]}]}"
    ),
    "as many names as are read": lambda: CLUB + b'{"sides": [[' + b"7," * 700_000 + b"7]]}]}",
    "half pairs of surrogates": lambda: DEALS + b'{"title": "' + b"\\ud83d" * 600_000 + b'"}]}',
}
"""By what is hostile in them: files that are sent as deals to take in or to score."""

LISTS = {
    "many rows": lambda: b"Ann\n" * 260_000,
    "many columns": lambda: b"Ann;" * 260_000,
    "no address for long": lambda: b"a" * 500_000 + b" @ " + b"a@" * 200_000,
    "blanks between few letters": lambda: b"a   b   c\n" * 100_000,
    "one digit after another": lambda: b"1 " * 400_000 + b"a\n" + b"1" * 100_000,
    "a quotation mark that stays open": lambda: b'Ann;Bob\nCal;"' + b"x\n" * 500_000,
    "a million rows of xlsx": lambda: xlsx(
        "".join(f"<row r='{n}'/>" for n in range(1, 800_000)) + xlsx_row(1_000_000, "Ann")
    ),
    "hidden rows of xlsx": lambda: xlsx("<row hidden='1'/>" * 600_000 + "<row hidden=" * 100_000),
    "cells of xlsx": lambda: xlsx("<row>" + "<c/>" * 3_000_000 + "</row>"),
    "as many cells of xlsx as are read": lambda: xlsx("<row>" + "<c/>" * 149_000 + "</row>"),
    "as many rows of xlsx as are read": lambda: xlsx("<row><c/></row>" * 49_000),
    "as many cell styles as are read": lambda: xlsx(
        xlsx_row(1, "Ann"), styles="<cellXfs>" + "<xf/>" * 19_900 + "</cellXfs>"
    ),
    "as many fonts as are read": lambda: xlsx(xlsx_row(1, "Ann"), styles="<fonts>" + "<font/>" * 19_900 + "</fonts>"),
    "as many shared strings as are read": lambda: xlsx(xlsx_row(1, "Ann"), strings="<si><t>a</t></si>" * 37_000),
    "as many cells of ods as are read": lambda: ods(
        "<table:table-row>" + "<table:table-cell/>" * 149_000 + "</table:table-row>"
    ),
    "a last row far down": lambda: xlsx(xlsx_row(1, "Ann") + xlsx_row(1_048_576, "Bob")),
    "a row numbered by many digits": lambda: xlsx(xlsx_row(1, "Ann") + xlsx_row(10**30, "Bob")),
    "a size that the sheet hasn't": lambda: xlsx(xlsx_row(1, "Ann"), before="<dimension ref='A1:XFD1048576'/>"),
    "shared strings": lambda: xlsx(xlsx_row(1, "Ann"), strings="<si><t>a</t></si>" * 900_000),
    "one shared string": lambda: xlsx(
        "<row><c t='s'><v>0</v></c></row>" * 4000, strings=f"<si><t>{'a' * 9_000}</t></si>"
    ),
    "cell styles": lambda: xlsx(xlsx_row(1, "Ann"), styles="<cellXfs>" + "<xf/>" * 3_000_000 + "</cellXfs>"),
    "a billion laughs in xlsx": lambda: xlsx(xlsx_row(1, "&l8;"), doctype=LAUGHS),
    "more than it says": lambda: xlsx(xlsx_row(1, "a" * 30_000_000)),
    "rows of ods stored once": lambda: ods(ods_row("Ann", "table:number-rows-repeated='1048576'")),
    "empty rows of ods": lambda: ods(ods_row("Ann") + ods_row("", "table:number-rows-repeated='1048575'")),
    "cells of ods stored once": lambda: ods(
        "<table:table-row><table:table-cell table:number-columns-repeated='99999999999'><text:p>A</text:p>"
        "</table:table-cell></table:table-row>" * 100
    ),
    "a million rows of ods": lambda: ods("<table:table-row/>" * 850_000),
    "a billion laughs in ods": lambda: ods(ods_row("&l8;"), doctype=LAUGHS),
    "tables in tables": lambda: ods("<table:table>" * 200_000 + "</table:table>" * 200_000),
}
"""By what is hostile in them: files that are sent as lists of members."""
