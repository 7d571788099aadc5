"""Refusals name themselves."""

from services.kernel.errors import CardUnknown, IllegalCoup, Refusal, WagerNoRepeated


def test_a_refusal_has_a_reason_and_a_sentence() -> None:
    """The reason is the class name in upper snake case, the sentence the one given or the docstring."""
    assert (IllegalCoup("two of them").reason, IllegalCoup("two of them").message) == (
        "ILLEGAL_COUP",
        "two of them",
    )
    assert (CardUnknown().reason, CardUnknown().message) == ("CARD_UNKNOWN", "There is no such card.")
    assert WagerNoRepeated().reason == "WAGER_NO_REPEATED"


def test_a_refusal_without_a_sentence_has_none() -> None:
    """A refusal whose class says nothing has an empty sentence."""

    class Bare(Refusal):
        pass

    Bare.__doc__ = None
    assert Bare().message == ""
