"""The directors' guide as pages of the site: a chapter a page, in the reader's language, with a search.

The text is that of `docs/`, read once by each process. A club's pages lead to the same chapters within the club, in its
language and under its head.
"""

import re
from functools import cache
from typing import Any
from urllib.parse import unquote

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from clubsite.accounts.models import Club
from clubsite.accounts.roles import public
from clubsite.names import folded_words
from clubsite.paths import BASE_DIR, COMMAND

GUIDES = {"en": "directors-guide.md", "es": "guia-del-director.md"}

# The chapters in the order of the guides, each with the addresses of the pages that it is about. The first is the
# contents, with what the guide says before its first chapter.
CHAPTERS = {
    "": "",
    "first-night": "start start_club start_director start_rules start_members start_night start_cards demo_remove",
    "helpers-and-settings": "people invite invitation role_password club_settings club_link on_your_site log "
    "password sessions factor",
    "members": "members members_paste guests merges member merge member_erase person",
    "plan-a-night": "event_new event_advice event_change event_call_off event_remove sign_ups mail_desk",
    "who-is-here": "here partners side_list fees",
    "draw": "round_draw draw_search stage_draw draw_by_hand wishes seeds",
    "print-centre": "print document season_document",
    "desk": "desk desk_event",
    "cards-on-a-phone": "phones table_links card game_new game_names",
    "cards-on-paper": "round_keying stage_keying round_second_keying stage_second_keying differences "
    "game_end other_rules card_reasons",
    "cards-by-photo": "photos photo_cards",
    "change-seats": "seat_changes",
    "clock": "clock",
    "disputes": "deal adjustments open_games draw_step",
    "hall-board": "board",
    "next-round": "round_step night_close walkover side_leaves sit_out_rules",
    "prizes": "prizes",
    "money": "event_money club_money season_money dues",
    "season": "season season_need season_new season_change season_rule season_people season_opening season_following "
    "night_season handicaps handicap_list handicap_numbers event_handicap handicap",
    "files": "files score_file event_in",
    "competition": "entries entries_import entry end_set tie_breaks cut cut_step result",
    "rules": "rules house_rules shipped_rules rules_compare rules_change rules_in",
    "when-something-goes-wrong": "backups backup club_backups site running",
    "languages": "",
}
CHAPTER_OF = {name: slug for slug, names in CHAPTERS.items() for name in names.split()}

MARKDOWN = MarkdownIt("commonmark", {"html": False})
LONGEST_SEARCH = 80  # letters
PASSAGES = 3  # that a search shows of a chapter, at most

Chapter = dict[str, Any]


@cache
def guide(language: str) -> dict[str, Chapter]:
    """The chapters of a guide by their slugs: each has the heading over it, if any (`part`), its title, its text as
    HTML, and its paragraphs as plain text."""
    tokens = MARKDOWN.parse((BASE_DIR / "docs" / GUIDES[language]).read_text(encoding="utf-8"))
    heads = [index for index, token in enumerate(tokens) if token.type == "heading_open"]
    sections, part = [], ""
    for start, end in zip(heads, [*heads[1:], len(tokens)], strict=True):
        title, body = tokens[start + 1].content, tokens[start + 3 : end]
        if tokens[start].tag != "h3":
            part = "" if body else title
        if body:
            sections.append((part, title, body))
    slugs = dict(zip((slugify(title, allow_unicode=True) for _, title, _ in sections), CHAPTERS, strict=True))
    return {
        slug: {"slug": slug, "part": part, "title": title, **_render_section(body, slugs)}
        for slug, (part, title, body) in zip(CHAPTERS, sections, strict=True)
    }


def _render_section(body: list[Token], slugs: dict[str, str]) -> dict[str, Any]:
    texts = []
    for paragraph in (token for token in body if token.type == "inline"):
        paragraph.children = _adapt_to_site(paragraph.children or [], slugs)
        words = (token for token in paragraph.children if token.type != "image")
        texts.append("".join(" " if token.type == "softbreak" else token.content for token in words))
    return {
        "html": mark_safe(MARKDOWN.renderer.render(body, MARKDOWN.options, {})),  # noqa: S308  (no HTML gets through)
        "texts": texts,
    }


def _adapt_to_site(tokens: list[Token], slugs: dict[str, str]) -> list[Token]:
    """The parts of a paragraph as they are in the site: headings are chapters, pictures are static files, a command is
    typed as here. A link to another document is plain text, because the site doesn't have that one."""
    slug = ""
    shown = []
    for token in tokens:
        if token.type == "link_open":
            target = unquote(str(token.attrs["href"]))
            slug = slugs[target[1:]] if target.startswith("#") else ""
            token.attrs["href"] = f"../{slug}/"
        elif token.type == "image":
            token.attrs |= {"src": static(str(token.attrs["src"])), "loading": "lazy"}
        elif token.type == "code_inline":
            token.content = token.content.replace("./dev", COMMAND)
        if slug or not token.type.startswith("link_"):
            shown.append(token)
    return shown


def search(chapters: dict[str, Chapter], words: tuple[str, ...]) -> list[dict[str, Any]]:
    """The chapters with the most of the words, each with its matching paragraphs. First those with words in the title,
    then those with many in one paragraph."""
    results = []
    for chapter in chapters.values():
        title, *passages = (_mark_words(text, words) for text in (chapter["title"], *chapter["texts"]))
        matched = title[0].union(*(hits for hits, _ in passages))
        best = sorted((p for p in passages if p[0]), key=lambda passage: -len(passage[0]))[:PASSAGES]
        rank = (len(matched), len(title[0]), max((len(hits) for hits, _ in best), default=0))
        results.append({**chapter, "rank": rank, "marked": title[1], "passages": best})
    most = max(result["rank"][0] for result in results)
    hits = [result for result in results if result["rank"][0] == most > 0]
    return sorted(hits, key=lambda result: result["rank"], reverse=True)


def _mark_words(text: str, words: tuple[str, ...]) -> tuple[set[str], SafeString]:
    """Which of the words a text has, or longer ones that begin so, and the text with these marked."""
    matched: set[str] = set()
    parts = []
    for part in re.split(r"([\w'’]+)", text):
        hits = {word for word in words if "".join(folded_words(part)).startswith(word)}
        parts.append(format_html("<mark>{}</mark>", part) if hits else escape(part))
        matched |= hits
    return matched, mark_safe("".join(parts))  # noqa: S308  (each is escaped)


@require_safe
def help_page(request: HttpRequest, club: Club | None = None, *, chapter: str = "") -> HttpResponse:
    language = (get_language() or "")[:2]
    chapters = guide(language if language in GUIDES else "en")
    if chapter not in chapters:
        raise Http404
    order = list(chapters.values())
    place = list(chapters).index(chapter)
    typed = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    words = tuple(word for word in folded_words(typed) if len(word) > 1)
    context = {
        "chapter": order[place],
        "chapters": order[1:],
        "before": order[place - 1] if place > 1 else None,
        "after": order[place + 1] if place + 1 < len(order) else None,
        "search": typed,
        "results": search(chapters, words),
    }
    return render(request, "help.html", context)


club_help = public(help_page)
