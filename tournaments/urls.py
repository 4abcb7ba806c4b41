"""Addresses of events: the public pages, the director's desk, the printing."""

from django.urls import path

from tournaments import (
    advice as advice_views,
    event_files,
    handicaps as handicaps_views,
    mail,
    money as money_views,
    opening_points,
    rating as rating_views,
    sides,
    sign_ups,
)
from tournaments.cuts import views as cuts_views
from tournaments.documents import views as documents_views
from tournaments.draws import views as draws_views
from tournaments.entries import views as entries_views
from tournaments.events import views as events_views
from tournaments.exports import views as exports_views
from tournaments.keying import views as keying_views
from tournaments.members import views as members_views
from tournaments.pages import board, desk, elsewhere, entry, public, seat_changes
from tournaments.photos import views as photos_views
from tournaments.prizes import views as prizes_views
from tournaments.rounds import views as rounds_views
from tournaments.rulings import views as rulings_views
from tournaments.seasons import views as seasons_views
from tournaments.standings import views as standings_views
from tournaments.table_links import views as table_links_views

EVENT = "desk/<slug:event>/"

urlpatterns = [
    # Anyone
    path("", public.club, name="club"),
    path("events/", public.events, name="events"),
    path("events/<slug:event>/", public.event, name="event"),
    path("events/<slug:event>/coming/", sign_ups.sign_up_page, name="coming"),
    path("events/<slug:event>/coming/<uuid:submission>/", sign_ups.sign_up_state, name="sign_up"),
    path("events/<slug:event>/seats/", public.seats, name="seats"),
    path("events/<slug:event>/how-it-went/", public.evening, name="evening"),
    path("events/<slug:event>/clock/", rounds_views.clock, name="clock"),
    path("events/<slug:event>/board/", board.board, name="board"),
    path("events/<slug:event>/table/", table_links_views.code, name="table_code"),
    path("mail/", mail.subscribe_page, name="mail"),
    path("mail/<uuid:key>/", mail.subscription, name="mail_own"),
    path("seasons/<int:season>/", seasons_views.season, name="season"),
    path("seasons/<int:season>/need/", seasons_views.need, name="season_need"),
    path("rating/", rating_views.rating, name="rating"),
    path("handicaps/", handicaps_views.handicaps, name="handicaps"),
    path("handicaps/<slug:game>/", handicaps_views.handicap_page, name="handicap_list"),
    # Links to the club in other places
    path("picture.png", elsewhere.club_picture, name="club_picture"),
    path("events/<slug:event>/picture.png", elsewhere.event_picture, name="event_picture"),
    path("seasons/<int:season>/picture.png", elsewhere.season_picture, name="season_picture"),
    path("embed/<slug:part>/", elsewhere.embed, name="embed"),
    path("settings/website/", elsewhere.on_your_site, name="on_your_site"),
    path("feed.xml", elsewhere.feed, name="feed"),
    path("site.webmanifest", elsewhere.manifest, name="manifest"),
    # Other programs: calendars, JSON, spreadsheets
    path("calendar.ics", exports_views.calendar, name="calendar"),
    path("events/<slug:event>/calendar.ics", exports_views.calendar, name="event_calendar"),
    path("seasons/<int:season>/calendar.ics", exports_views.calendar, name="season_calendar"),
    path("data/", exports_views.club_data, name="club_data"),
    path("data/events/<slug:event>.json", exports_views.event_data, name="event_data"),
    path("data/events/<slug:event>/standings.json", exports_views.standings_data, name="standings_data"),
    path("data/events/<slug:event>/result.json", exports_views.result_data, name="result_data"),
    path("data/seasons/<int:season>.json", exports_views.season_data, name="season_data"),
    path("events/<slug:event>/result.<slug:kind>", exports_views.result_file, name="result_file"),
    path("seasons/<int:season>/table.<slug:kind>", exports_views.season_file, name="season_file"),
    # The director's desk
    path("phones/", table_links_views.phones, name="phones"),
    path("desk/", desk.desk, name="desk"),
    path("desk/new/", events_views.new, name="event_new"),
    path("desk/new/file/", event_files.event_in, name="event_in"),
    path("desk/new/club.json", event_files.club_file, name="club_file"),
    path(EVENT + "file/", event_files.event_file, name="event_file"),
    path("desk/new/which/", advice_views.advice, name="event_advice"),
    path(EVENT, desk.event, name="desk_event"),
    path(EVENT + "clock/<int:round>/", rounds_views.round_clock, name="round_clock"),
    path(EVENT + "call-off/", events_views.call_off_page, name="event_call_off"),
    path(EVENT + "remove/", events_views.remove_page, name="event_remove"),
    path(EVENT + "change/", events_views.change, name="event_change"),
    path(EVENT + "adjustments/", rulings_views.adjustments, name="adjustments"),
    path(EVENT + "tie-breaks/", rulings_views.tie_breaks, name="tie_breaks"),
    path(EVENT + "sit-out-rules/", rulings_views.sit_out_rules, name="sit_out_rules"),
    path(EVENT + "links/", table_links_views.desk, name="table_links"),
    path(EVENT + "coming/", sign_ups.desk, name="sign_ups"),
    path(EVENT + "entries/", entries_views.entries, name="entries"),
    path(EVENT + "entries/import/", entries_views.import_names, name="entries_import"),
    path(EVENT + "entries/<int:entry>/", entry.entry, name="entry"),
    path(EVENT + "open-games/", rounds_views.open_games, name="open_games"),
    path("settings/mail/", mail.desk, name="mail_desk"),
    # A competition
    path(EVENT + "stages/<int:stage>/draw/", draws_views.draw, name="stage_draw"),
    path(EVENT + "draws/<int:draw>/", rounds_views.draw_step, name="draw_step"),
    path(EVENT + "draws/<int:draw>/by-hand/", draws_views.by_hand, name="draw_by_hand"),
    path(EVENT + "groups/<int:group>/end/", rounds_views.end_set, name="end_set"),
    path(EVENT + "groups/<int:group>/seats/", seat_changes.seats_of_table, name="seat_changes"),
    path(EVENT + "groups/<int:group>/walkover/", rulings_views.walkover, name="walkover"),
    path(EVENT + "sides/leaving/", rulings_views.side_leaves, name="side_leaves"),
    path(EVENT + "stages/<int:stage>/cut/", cuts_views.cut, name="cut"),
    path(EVENT + "cuts/<int:cut>/", cuts_views.cut_step, name="cut_step"),
    path(EVENT + "result/", standings_views.result, name="result"),
    # A club night
    path(EVENT + "here/", rounds_views.here, name="here"),
    path(EVENT + "partners/", entries_views.partners, name="partners"),
    path(EVENT + "seeds/", rounds_views.seeds, name="seeds"),
    path(EVENT + "partners/list/", sides.side_list, name="side_list"),
    path(EVENT + "rounds/draw/", rounds_views.draw, name="round_draw"),
    path(EVENT + "rounds/draw/search/", draws_views.search, name="draw_search"),
    path(EVENT + "wishes/", draws_views.wish_list, name="wishes"),
    path(EVENT + "rounds/<int:round>/", rounds_views.round_step, name="round_step"),
    path(EVENT + "close/", standings_views.close, name="night_close"),
    path(EVENT + "season/", seasons_views.night_season, name="night_season"),
    path(EVENT + "handicap/", handicaps_views.event_handicap, name="event_handicap"),
    # Cards keyed from paper
    path(EVENT + "rounds/<int:round>/keying/", keying_views.first_keying, name="round_keying"),
    path(EVENT + "draws/<int:draw>/keying/", keying_views.first_keying, name="stage_keying"),
    path(EVENT + "rounds/<int:round>/keying/second/", keying_views.second_keying, name="round_second_keying"),
    path(EVENT + "draws/<int:draw>/keying/second/", keying_views.second_keying, name="stage_second_keying"),
    path(EVENT + "differences/", keying_views.differences, name="differences"),
    path(EVENT + "photos/", photos_views.photos, name="photos"),
    path(EVENT + "photos/cards/", photos_views.cards, name="photo_cards"),
    path(EVENT + "photos/<int:card>.jpg", photos_views.picture, name="photo_picture"),
    # Files for spreadsheets
    path(EVENT + "files/stage-<int:stage>.<slug:kind>", exports_views.standings_file, name="standings_file"),
    path(EVENT + "files/deals.<slug:kind>", exports_views.deals_file, name="deals_file"),
    path(EVENT + "files/entries.<slug:kind>", exports_views.entries_file, name="entries_file"),
    # Prizes and money
    path(EVENT + "prizes/", prizes_views.prizes, name="prizes"),
    path(EVENT + "fees/", money_views.fees, name="fees"),
    path(EVENT + "money/", money_views.event_money, name="event_money"),
    path(EVENT + "money/lines.<slug:kind>", money_views.event_money_file, name="event_money_file"),
    path("desk/money/dues/", money_views.dues, name="dues"),
    path("desk/money/book/", money_views.book, name="club_money"),
    path("desk/money/book.<slug:kind>", money_views.book_file, name="club_money_file"),
    path("desk/seasons/<int:season>/money/", money_views.book, name="season_money"),
    path("desk/seasons/<int:season>/money.<slug:kind>", money_views.book_file, name="season_money_file"),
    # A season
    path("desk/seasons/new/", seasons_views.season_new, name="season_new"),
    path("desk/seasons/<int:season>/change/", seasons_views.season_change, name="season_change"),
    path("desk/seasons/<int:season>/rule/", seasons_views.rule, name="season_rule"),
    path("desk/seasons/<int:season>/before/", opening_points.opening_points, name="season_opening"),
    path("desk/seasons/<int:season>/people/", seasons_views.people, name="season_people"),
    path("desk/seasons/<int:season>/following/", seasons_views.following, name="season_following"),
    path("desk/handicaps/<slug:game>/", handicaps_views.numbers, name="handicap_numbers"),
    # Members
    path("members/", members_views.members, name="members"),
    path("members/paste/", members_views.paste, name="members_paste"),
    path("members/list.<slug:kind>", members_views.members_file, name="members_file"),
    path("members/guests/", members_views.guests, name="guests"),
    path("members/merges/", members_views.merges, name="merges"),
    path("members/<int:member>/", members_views.person, name="person"),
    path("members/<int:member>/change/", members_views.change, name="member"),
    path("members/<int:member>/merge/", members_views.merge_with, name="merge"),
    path("members/<int:member>/export/", members_views.export, name="member_export"),
    path("members/<int:member>/erase/", members_views.erase_person, name="member_erase"),
    # Paper
    path(EVENT + "print/", documents_views.print_centre, name="print"),
    path(EVENT + "print/<slug:document>.pdf", documents_views.document, name="document"),
    path(EVENT + "print/<slug:document>.png", documents_views.document_picture, name="document_picture"),
    path(
        "desk/seasons/<int:season>/print/<slug:document>.pdf", documents_views.season_document, name="season_document"
    ),
]
