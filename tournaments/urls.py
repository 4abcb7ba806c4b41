"""Addresses of events: the public pages, the director's desk, the printing."""

from django.urls import path

from tournaments.views import (
    advice,
    contest,
    desk,
    draws,
    entries,
    handicaps,
    night,
    partners,
    printing,
    public,
    rulings,
    seasons,
)

EVENT = "desk/<slug:event>/"

urlpatterns = [
    # Anyone
    path("", public.club, name="club"),
    path("events/", public.events, name="events"),
    path("events/<slug:event>/", public.event, name="event"),
    path("events/<slug:event>/seats/", public.seats, name="seats"),
    path("events/<slug:event>/board/", public.board, name="board"),
    path("seasons/<int:season>/", seasons.season, name="season"),
    path("seasons/<int:season>/need/", seasons.need, name="season_need"),
    path("handicaps/", handicaps.handicaps, name="handicaps"),
    path("handicaps/<slug:game>/", handicaps.handicap_page, name="handicap_list"),
    # The director's desk
    path("desk/", desk.desk, name="desk"),
    path("desk/new/", desk.new, name="event_new"),
    path("desk/new/which/", advice.advice, name="event_advice"),
    path(EVENT, desk.event, name="desk_event"),
    path(EVENT + "change/", desk.change, name="event_change"),
    path(EVENT + "adjustments/", rulings.adjustments, name="adjustments"),
    path(EVENT + "tie-breaks/", rulings.tie_breaks, name="tie_breaks"),
    path(EVENT + "sit-out-rules/", rulings.sit_out_rules, name="sit_out_rules"),
    path(EVENT + "entries/", entries.entries, name="entries"),
    path(EVENT + "entries/import/", entries.import_names, name="entries_import"),
    path(EVENT + "entries/<int:entry>/", entries.entry, name="entry"),
    # A competition
    path(EVENT + "stages/<int:stage>/draw/", contest.draw, name="stage_draw"),
    path(EVENT + "draws/<int:draw>/", contest.draw_step, name="draw_step"),
    path(EVENT + "draws/<int:draw>/by-hand/", draws.by_hand, name="draw_by_hand"),
    path(EVENT + "groups/<int:group>/end/", contest.end_set, name="end_set"),
    path(EVENT + "stages/<int:stage>/cut/", contest.cut, name="cut"),
    path(EVENT + "cuts/<int:cut>/", contest.cut_step, name="cut_step"),
    path(EVENT + "result/", contest.result, name="result"),
    # A club night
    path(EVENT + "here/", night.here, name="here"),
    path(EVENT + "partners/", partners.partners, name="partners"),
    path(EVENT + "rounds/draw/", draws.draw, name="round_draw"),
    path(EVENT + "rounds/draw/search/", draws.search, name="draw_search"),
    path(EVENT + "wishes/", draws.wish_list, name="wishes"),
    path(EVENT + "rounds/<int:round>/", night.round_step, name="round_step"),
    path(EVENT + "close/", night.close, name="night_close"),
    path(EVENT + "season/", night.night_season, name="night_season"),
    path(EVENT + "handicap/", handicaps.of_event, name="event_handicap"),
    # A season
    path("desk/seasons/new/", night.season_new, name="season_new"),
    path("desk/seasons/<int:season>/rule/", seasons.rule, name="season_rule"),
    path("desk/seasons/<int:season>/people/", seasons.people, name="season_people"),
    path("desk/seasons/<int:season>/following/", seasons.following, name="season_following"),
    path("desk/handicaps/<slug:game>/", handicaps.numbers, name="handicap_numbers"),
    # Paper
    path(EVENT + "print/", printing.centre, name="print"),
    path(EVENT + "print/<slug:document>.pdf", printing.document, name="document"),
]
