"""Text around the quotes: greeting, comment, closing, signature, what is quoted below and what is forwarded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

    from ingest.generate.dealers import Dealer

REPLY = 0.04  # of text mails: a refresh above the asker's quoted mail
FORWARD = 0.03  # of text mails: a run passed on, without a word of its own that is a quote


@dataclass(frozen=True, slots=True)
class Body:
    """Lines of a body, and how many stand above the first line of the run."""

    lines: list[str]
    above: int
    prefix: str = ""  # of the subject


def around(random: Random, dealer: Dealer, person: str, run: list[str], sent: str) -> Body:
    """A run with what this dealer writes above and below it."""
    words = dealer.words
    top = [random.choice(words["greetings"]), ""]
    reply = random.random() < REPLY
    if reply:
        top += [random.choice(words["again"]), ""]
    elif random.random() < 0.5:
        top += [random.choice(words["comments"]), ""]
    end = [""]
    if dealer.footer:
        end += [random.choice(words["footers"]), ""]
    end.append(random.choice(words["closings"]))
    below = _asked(random, dealer, run, sent) if reply else []
    prefix = f"{words['reply']} " if reply else ""
    return Body([*top, *run, *end, *signature(dealer, person), *below], len(top), prefix)


def forwarded(random: Random, dealer: Dealer, inner: Body, about: tuple[str, str, str]) -> Body:
    """The body passed on by a colleague: `about` is the first sender, the time and the subject."""
    words = dealer.words
    sender, sent, subject = about
    heads = zip(words["forward_head"], (sender, sent, "desk@buyside.example", subject), strict=True)
    top = [
        random.choice(words["forwarded"]),
        "",
        words["forward_mark"],
        *(f"{head} {value}" for head, value in heads),
        "",
    ]
    return Body([*top, *inner.lines], len(top) + inner.above, f"{words['forward']} ")


def cover(random: Random, dealer: Dealer, person: str) -> list[str]:
    """A note beside an attachment."""
    words = dealer.words
    text = [random.choice(words["greetings"]), "", random.choice(words["covers"]), "", random.choice(words["closings"])]
    return [*text, *signature(dealer, person)]


def signature(dealer: Dealer, person: str) -> list[str]:
    """Who wrote, and what his lawyers wrote."""
    lines = ["-- ", person, dealer.name, dealer.phone]
    if dealer.disclaimer is not None:
        disclaimers: list[Any] = dealer.words["disclaimers"]
        lines += ["", disclaimers[dealer.disclaimer % len(disclaimers)]]
    return lines


def _asked(random: Random, dealer: Dealer, run: list[str], sent: str) -> list[str]:
    """The mail that is answered, with two of the lines as they were before."""
    words = dealer.words
    who = random.choice(("Ann Keller <ann@buyside.example>", "Tom Reyes <tom@buyside.example>"))
    old = random.sample(run[2:], min(2, len(run) - 2))
    return ["", words["wrote"].format(date=sent, who=who), *(f"> {line}" for line in (words["asked"], "", *old))]
