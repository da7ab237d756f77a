"""`Sandbox`: parses mails in a child that may hang, crash or lie, at the cost of the part or mail it was at."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import msgspec

from parsers.codes import Code
from parsers.learning.lesson import Lesson
from parsers.mail.partbytes import part_bytes
from parsers.outcome import MailOutcome
from parsers.parse import parse_mail, unparsed
from parsers.sandbox.backoff import BackOff
from parsers.sandbox.failures import Allowance, ChildFailed, StartFailed
from parsers.sandbox.options import SandboxOptions, SandboxSettings
from parsers.sandbox.process import Child
from parsers.taught import Taught
from parsers.version import parser_version
from parsers.wire import WireError, from_wire

if TYPE_CHECKING:
    from parsers.account import Account

T = TypeVar("T")

logger = logging.getLogger(__name__)

_MAX_BARRED = 5  # parts of one mail that may cost a child each; then the rest of the mail is given up
_MAX_FAILURES = 2 * (_MAX_BARRED + 1)  # two for each of these, two without any part; a child that lies about parts


class Sandbox:
    """One warm child, a spare, and once that is warm another behind it. For one thread, with which its children die.

    A part that hangs ends as PARSE_TIMEOUT. One that kills its child gets a second chance, for kernels kill without
    reason too, then ends as PARSER_ERROR. The mail is then parsed again without the part: by the second spare, for a
    new one takes longer to warm up than most parts take to kill two.
    """

    def __init__(self, options: SandboxSettings | None = None, taught: Taught | None = None) -> None:
        """Without `taught`, what the files that the options name say now: all children have the same.

        Raises as `Taught.load` for files that cannot be used.
        """
        self._options: SandboxSettings = options or SandboxOptions()
        self._taught = taught or Taught.load(self._options)
        self.parser_version = parser_version(self._taught)  # that outcomes of this sandbox carry
        self._child: Child | None = None
        self._spare: Child | None = None
        self._second_spare: Child | None = None
        self._back_off = BackOff()

    def warm_up(self) -> None:
        """Start the child, and do not wait for it: it takes a second, in which its parent may do something else."""
        if self._options.sandbox != "off":
            self._child = self._child or self._new_spare()

    def walls(self) -> list[str]:
        """The walls around the child, as the kernel tells them. Without a sandbox there are none."""
        return [] if self._options.sandbox == "off" else self._asked(lambda child: child.walls())

    def part_bytes(self, raw: bytes, path: str) -> bytes | None:
        """As `parsers.mail.partbytes.part_bytes`.

        Raises:
            ChildFailed: the mail cost the child.
            StartFailed: no child can be started at all.
        """
        if self._options.sandbox == "off":
            return part_bytes(raw, path)
        allowance = Allowance.of_parts(1, self._options.part_deadline_s)
        return self._asked(lambda child: child.part_bytes(raw, path, allowance))

    def account(self, raw: bytes, part_path: str, record_id: str) -> Account | None:
        """As `parsers.account.account`.

        Raises:
            ChildFailed: the mail cost the child, or the child lied.
            StartFailed: no child can be started at all.
        """
        from parsers.account import account, from_bytes  # imports all that reads quotes, which the child alone needs

        if self._options.sandbox == "off":
            return account(raw, part_path, record_id, self._taught)
        allowance = Allowance.of_parts(1, self._options.part_deadline_s)
        told = self._asked(lambda child: child.account(raw, part_path, record_id, allowance))
        try:
            return None if told is None else from_bytes(told)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ChildFailed(Code.PARSER_ERROR, f"the parser process lied: {error}", None) from error

    def lesson(self, raw: bytes, truths: Sequence[Mapping[str, object]]) -> Lesson:
        """As `parsers.learning.proposing.lesson`, which stops by itself within half of what a part may take.

        Raises as `account`.
        """
        seconds = self._options.part_deadline_s / 2
        if self._options.sandbox == "off":
            from parsers.learning.proposing import lesson  # imports all that reads quotes, as above

            return lesson(raw, truths, self._taught, seconds)
        allowance = Allowance.of_parts(1, self._options.part_deadline_s)
        told = self._asked(lambda child: child.lesson(raw, truths, seconds, allowance))
        try:
            return msgspec.json.decode(told, type=Lesson)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ChildFailed(Code.PARSER_ERROR, f"the parser process lied: {error}", None) from error

    def parse(self, raw: bytes) -> MailOutcome:
        """As `parsers.parse.parse_mail`; never raises on input.

        Raises:
            StartFailed: no child can be started at all.
            ParserChanged: the code on disk is no longer that of this process.
        """
        if self._options.sandbox == "off":
            return parse_mail(raw, self._taught)
        key = hashlib.sha256(raw).hexdigest()
        barred: dict[str, Code] = {}
        given_up: set[str | None] = set()  # parts that killed a child once; None: before any part
        allowance = Allowance.of_parts(_MAX_BARRED + 1, self._options.part_deadline_s)
        for _ in range(_MAX_FAILURES):
            try:
                return self._believed(raw, key, barred, allowance)
            except ChildFailed as failure:
                logger.warning("part %.300a: %a", failure.part, str(failure))  # the child may have chosen both
                is_second = failure.code is Code.PARSE_TIMEOUT or failure.part in given_up
                given_up.add(failure.part)
                if not is_second:
                    continue
                if failure.part is None or "*" in barred:
                    return self._given_up(key, len(raw), failure.code, str(failure))
                barred[failure.part] = failure.code
                if len(barred) >= _MAX_BARRED:
                    barred["*"] = Code.PARSER_ERROR
        return self._given_up(key, len(raw), Code.PARSER_ERROR, f"it cost {_MAX_FAILURES} parser processes")

    def _given_up(self, key: str, size: int, code: Code, detail: str) -> MailOutcome:
        return unparsed(key, size, self.parser_version, code, detail)

    def _believed(self, raw: bytes, key: str, barred: dict[str, Code], allowance: Allowance) -> MailOutcome:
        """The outcome of a child, if it is one, and of this mail."""
        try:
            outcome = self._asked(lambda child: self._outcome_of(key, child.run(raw, key, barred, allowance)))
        except WireError as error:
            raise ChildFailed(Code.PARSER_ERROR, f"the parser process lied: {error}", None) from error
        self._spare = self._spare or self._new_spare()
        if self._second_spare is None and self._spare is not None and self._spare.is_up():
            self._second_spare = self._new_spare()
        return outcome

    def _asked(self, ask: Callable[[Child], T]) -> T:
        """What a child says: the warm one, else the spare; where that was lost while it warmed up, a fresh one.

        Whatever `ask` raises costs the child: it is somewhere in its job, and of no use for the next.
        """
        try:
            if self._child is None:
                self._back_off.wait()
            if self._child is None and self._spare is not None:
                self._child, self._spare = self._spare, self._second_spare or self._new_spare()
                self._second_spare = None
                try:
                    return ask(self._child)
                except StartFailed:
                    self._child, self._spare = self._spare, None
            self._child = self._child or Child(self._options, self._taught)
            return ask(self._child)
        except BaseException:
            self._back_off.lost()
            if self._child is not None:
                self._child.close()
                self._child = None
            raise

    def _outcome_of(self, key: str, data: bytes) -> MailOutcome:
        outcome = from_wire(data)
        if outcome.message_key != key or any(quote.message_key != key for quote in outcome.quotes):
            raise WireError("the outcome of another mail")
        told = {outcome.parser_version, *(quote.parser_version for quote in outcome.quotes)}
        if told != {self.parser_version}:
            raise WireError("the outcome of another parser version")
        return outcome

    def _new_spare(self) -> Child | None:
        """None where the system has no room for one just now: a later mail asks again, and this one has its outcome."""
        try:
            return Child(self._options, self._taught)
        except StartFailed as error:
            logger.warning("no spare: %s", error)
            return None

    def close(self) -> None:
        """Kill the children."""
        for child in (self._child, self._spare, self._second_spare):
            if child is not None:
                child.close()
        self._child = self._spare = self._second_spare = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
