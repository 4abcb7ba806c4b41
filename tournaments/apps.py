"""The tournaments app: seasons, events, entries, draws, cuts, standings."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Register with the packages below what they must call here: see "Registries" in docs/architecture.md."""
        from django.db.models.signals import post_delete
        from django_tasks.signals import task_finished

        from clubsite.accounts import audit_log
        from clubsite.accounts.doors import LINK_ENDED
        from clubsite.accounts.name_privacy import ALIASES
        from clubsite.accounts.roles import DOOR_OF_EVENT
        from clubsite.jobs import periodic
        from clubsite.operations.staying import STAYING
        from scoring.cards.deals import ON_REOPEN
        from scoring.cards.submit import ANNULLED, STANDINGS, WATCHES
        from tournaments import log_words, mail, sign_ups
        from tournaments.cuts.reserves import watch_event, watch_standings
        from tournaments.documents.prerender import prerender_documents
        from tournaments.draws import by_format
        from tournaments.draws.changes import update_card_names
        from tournaments.draws.making import note_failure
        from tournaments.events.words import game_annulment_reason
        from tournaments.members.erasing import dump_erased, erase_again
        from tournaments.members.personal_data import names_in_events
        from tournaments.models import CardPhoto, PhotographedCard
        from tournaments.photos import actions as photos
        from tournaments.photos.tasks import note_failure as photo_not_read
        from tournaments.requests import door_of_event
        from tournaments.rounds.publishing import PUBLISHED
        from tournaments.standings.standings import totals_of
        from tournaments.table_links.links import links_to_keep, restore_links

        periodic.CLEAN_UPS += [sign_ups.delete_old_sign_ups, mail.clean_up, photos.delete_old_photos]
        periodic.JOBS.append(mail.enqueue_due_letters)
        mail.DUE += [mail.write_to_subscribers, sign_ups.write_sign_up_letters]
        PUBLISHED.append(prerender_documents)
        by_format.STANDINGS.append(totals_of)
        WATCHES.append(watch_event)
        STANDINGS.append(watch_standings)
        ANNULLED.append(game_annulment_reason)
        ON_REOPEN.append(update_card_names)
        audit_log.register(log_words)
        ALIASES.append(names_in_events)
        DOOR_OF_EVENT.append(door_of_event)
        LINK_ENDED.append(mail.demote_link_subscribers)
        STAYING["erased"] = dump_erased, erase_again
        STAYING["mail"] = mail.dump_mail, mail.restore_mail
        STAYING["links"] = links_to_keep, restore_links
        task_finished.connect(note_failure, dispatch_uid="draws")
        task_finished.connect(photo_not_read, dispatch_uid="photos")
        for model in (CardPhoto, PhotographedCard):
            post_delete.connect(photos.delete_files, sender=model, dispatch_uid=f"photos-{model.__name__}")
