"""The one way into the log, whatever the source: route, keep what is large in the claim store, publish, tell."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from conf.messages import say_each
from ingest import journal
from ingest.ledger.ledger import Ledger
from ingest.publish import Outgoing, make_mail_topic, publish
from ingest.routing import Router
from log.claims import NotTheClaim, announce, open_claims, own_places, settle
from log.errors import LogError, LogUnusable, UnknownTopic
from log.reading import sources_of
from log.topic_rules import too_small
from log.topics.making import make_topic
from log.types import Position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from conf.settings import Settings
    from ingest.mail import Mail
    from ingest.publish import Known
    from ingest.routing import Route
    from log.errors import PartitionBusy
    from log.interface import CommitLog

logger = logging.getLogger(__name__)


class Receipt(NamedTuple):
    """The word, durable, of what became of a mail: its source may let go of it."""

    mail: Mail
    position: Position | None  # of its record; None: a rule dropped it
    is_new: bool  # False: the log had it already, or it was dropped


class Unclaimed(NamedTuple):
    """A large mail without a receipt: the claim store does not have it. The others do not wait for it."""

    mail: Mail
    why: NotTheClaim | LogError  # its file changed while it was read; or it is to be tried again


class Accepted(NamedTuple):
    """What became of the mails given to `accept`. Those without a receipt are to be given again."""

    receipts: list[Receipt]
    unclaimed: list[Unclaimed]
    busy: PartitionBusy | None  # why some others have none


class Intake:
    """Accepts mails. For one thread: it has a ledger of its own.

    Args:
        log: where mails go.
        settings: `[log]` says where claims go, `[ingest]` the rest.
        topic: where mails go that no rule sends elsewhere; None: as the settings say.
        carry_on: called before each wait for a lock, and while the ledger is caught up; may raise to give up.
    """

    def __init__(
        self,
        log: CommitLog,
        settings: Settings,
        *,
        topic: str | None = None,
        carry_on: Callable[[], None] = lambda: None,
    ) -> None:
        self.ledger = Ledger(settings.ingest.ledger, settings.log.root)
        self._log = log
        self._inline_max_bytes = settings.log.inline_max_bytes
        self._claims = open_claims(settings.log)
        self._router = Router(settings.ingest.routes, topic or settings.ingest.topic)
        ends = [*self._router.topics, settings.ingest.topic, settings.ingest.backfill_topic]
        self._topics = list(dict.fromkeys(ends))  # where a mail may be already
        self._partitions = settings.ingest.partitions
        self._carry_on = carry_on
        self._caught_up = -1  # as of which ledger, counted as it counts: a new one must know every partition again

    def make_topics(self) -> None:
        """Make the topics that are not there yet, and catch the ledger up, as the first `accept` does.

        Without a partition's lock, for a ledger that was lost reads the whole log. Raises LogError, LedgerUnavailable.
        """
        if self._caught_up != self.ledger.begun_anew:
            for topic in self._topics:
                make_mail_topic(self._log, topic, self._partitions)
                if why := too_small(topic, self._log.value_limit(topic), self._inline_max_bytes):
                    raise LogUnusable(why)
            make_topic(self._log, journal.JOURNAL, journal.PARTITIONS)
            begun_anew = self.ledger.begun_anew
            self._catch_up()
            self._caught_up = begun_anew

    def close(self) -> None:
        """Let go of the ledger; the log is the caller's."""
        self.ledger.close()

    def accept(self, mails: Iterable[Mail]) -> Accepted:
        """Take mails, in their order; return when what became of each is durable.

        A mail larger than `inline_max_bytes` goes to the claim store first, and is looked for there once more before
        it gets its receipt. Raises LogError, LedgerUnavailable: then no mail has a receipt. After UnknownTopic, where
        somebody deleted one meanwhile, the next call makes it again.
        """
        self.make_topics()
        try:
            return self._accept(mails)
        except UnknownTopic:
            self._caught_up = -1
            raise

    def _accept(self, mails: Iterable[Mail]) -> Accepted:
        dropped: list[tuple[Mail, Route]] = []
        outgoing: list[Outgoing] = []
        unclaimed: list[Unclaimed] = []
        for mail in mails:
            route = self._router.route(mail)
            if route.topic is None:
                dropped.append((mail, route))
            elif why := self._claim(mail):
                unclaimed.append(Unclaimed(mail, why))
            else:
                outgoing.append(Outgoing(mail, route.topic, mail.record(route.name, self._inline_max_bytes)))
        announced = announce(
            self._log, [(each.mail.claim, each.topic) for each in outgoing if self._is_large(each.mail)]
        )
        published, busy = publish(self._log, self.ledger, self._topics, outgoing, self._carry_on)
        settle(self._log, announced, {each.outgoing.mail.sha256: each.noted.position for each in published})
        known: list[Known] = []
        for each in published:
            if why := self._claim(each.outgoing.mail, is_recorded=True):
                unclaimed.append(Unclaimed(each.outgoing.mail, why))
            else:
                known.append(each)
        self._tell(known, dropped)
        receipts = [Receipt(each.outgoing.mail, each.noted.position, each.is_new) for each in known]
        receipts += [Receipt(mail, None, is_new=False) for mail, _ in dropped]
        say_each(logger, ((_told(each), each.mail.about(each.position)) for each in receipts))
        return Accepted(receipts, unclaimed, busy)

    def forget(self, digest: str) -> list[Position]:
        """Forget the mail with this hex digest: it is taken once more when it comes again. Where the log has it."""
        self.make_topics()
        self._catch_up()
        forgotten: list[Position] = []
        for topic in self._topics:
            for noted in self.ledger.find(self._log, [topic], [digest]).values():
                line = journal.forgotten(digest, noted.position, self._log.topic_id(topic))
                self._log.append(journal.JOURNAL, [line])
                self.ledger.forget(self._log, noted.position)
                forgotten.append(noted.position)
        return forgotten

    def _catch_up(self) -> None:
        for topic in self._topics:
            for source in sources_of(self._log, topic):
                self.ledger.catch_up(self._log, source, self._carry_on)

    def _is_large(self, mail: Mail) -> bool:
        return mail.size > self._inline_max_bytes

    def _claim(self, mail: Mail, *, is_recorded: bool = False) -> NotTheClaim | LogError | None:
        """Keep a large mail in the claim store. Why that is not done, if it is not; raises what no trying mends."""
        if not self._is_large(mail):
            return None
        try:
            if is_recorded:
                self._claims.keep(mail.claim, mail.chunks)
            else:
                own_places(self._log, self._claims.places)
                self._claims.put(mail.claim, mail.chunks)
        except NotTheClaim as error:
            logger.warning("%s: %a: %s", mail.source, mail.name, error, extra=mail.about())
            return error
        except LogError as error:
            if not error.retriable:
                raise
            return error
        return None

    def _tell(self, known: Iterable[Known], dropped: Iterable[tuple[Mail, Route]]) -> None:
        """Into the journal. A file that was left over by a crash is no second source."""
        lines = [journal.dropped(mail, route) for mail, route in dropped]
        for outgoing, noted, is_new in known:
            if not is_new and noted.origin != outgoing.origin:
                lines.append(journal.again(outgoing.mail, noted.position))
        if lines:
            self._log.append(journal.JOURNAL, lines)


def _told(receipt: Receipt) -> str:
    """Whose mail it is, and what became of it."""
    mail, at = receipt.mail, receipt.position
    if at is None:
        return f"{mail.source}: {mail.name!a}: dropped, as a rule says"
    what = "published at" if receipt.is_new else "known already, from"
    return f"{mail.source}: {mail.name!a}: {what} {at.topic}-{at.partition}, offset {at.offset}"
