"""How mails are read by weights that were fitted without them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parsers.parse import parse_mail
from parsers.quotes.trust.weights import weights
from tests.parsers.fitting import trust
from tests.parsers.fitting.left_out import Known, groups_of, known_of, left_out, read_by, told
from tests.parsers.program import QUOTE, RUN

TRUTH = [{"kind": "meta", "language": "de"}, QUOTE]


@pytest.fixture(scope="module")
def gold() -> Known:
    """A mail of gold, in German."""
    return known_of("gold-dev", "b_run", RUN, TRUTH)


def test_a_mail_is_left_out_with_its_fold_its_hand_its_language_and_its_generator(gold: Known) -> None:
    fold, hand, language = sorted(groups_of(gold))
    assert (fold.startswith("dealers of gold, fold "), hand, language) == (True, "gold b", "language de")
    assert list(groups_of(known_of("desks", "one", RUN, TRUTH[1:]))) == ["generator desks"]
    assert list(groups_of(known_of("real", "archive-1", RUN, []))) == []


def test_mails_are_read_by_other_weights_as_long_as_they_are_lent() -> None:
    before, own = parse_mail(RUN).quotes, weights()
    with read_by({}, trust.Fitted(factors={}, accepted=1, review=0, shares=((0, 0.5),))):
        lent = parse_mail(RUN).quotes
    assert {(quote.status, str(quote.confidence)) for quote in lent} == {("review", "0.500")}
    assert parse_mail(RUN).quotes == before
    assert weights() == own
    assert own.accepted != 1


def test_a_group_is_read_by_what_the_other_mails_fit_and_told_in_a_row(gold: Known) -> None:
    others = [known_of("dealers", f"one-{number}", RUN, TRUTH[1:]) for number in range(4)]
    wrong = [replace(one, of_trust=[replace(case, is_exact=False) for case in one.of_trust]) for one in others[:1]]
    left = left_out([gold, *others, *wrong], "gold b")
    assert (left.mails, left.every.expected, left.every.price_exact) == (1, 1, 1)
    assert told("gold b", left).startswith("| gold b | 1 | 1 | 100.00% |")
