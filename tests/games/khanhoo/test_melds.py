"""KH-5: what is a meld, with the joker and without, and what melds are worth."""

from itertools import combinations

from domain.games.khanhoo.claims import claims
from domain.games.khanhoo.contracts import ROWS, MeldName
from domain.games.khanhoo.division import best_division
from domain.games.khanhoo.meta import PACK
from tests.games.khanhoo.checker import POINTS, is_meld, plain
from tests.support.for_each import for_each


def hand(plainly: str) -> tuple[str, ...]:
    """These cards, the copies of a face in their order."""
    names = plainly.split()
    return PACK.sorted(f"{name}.{names[:place].count(name) + 1}" for place, name in enumerate(names))


def divided(plainly: str) -> list[tuple[str, str]]:
    """How the hand is best divided, in its melds' plain cards."""
    melds = best_division(hand(plainly), without_rest=False)
    return [(meld.meld, " ".join(map(plain, meld.cards))) for meld in melds]


def worth(plainly: str, *, out: bool = False) -> int:
    """The points of the best division."""
    return sum(ROWS[meld.meld].points for meld in best_division(hand(plainly), without_rest=out))


def only(meld: MeldName, *plainly: str) -> None:
    """Each of these hands is just this meld, by the domain and by the independent check."""
    for cards in plainly:
        assert [name for name, _ in divided(cards)] == [meld], cards
        assert is_meld(meld, hand(cards))


def none(*plainly: str) -> None:
    """Nothing can be melded of these hands."""
    for cards in plainly:
        assert divided(cards) == [], cards


def test_kh_5_1_sequence() -> None:
    only("sequence", "Ah 2h 3h", "7s 8s 9s", "2d 3d 4d 5d", "2d 3d 4d 5d 6d")
    none("Ah 2h", "Ah 2h 3s", "8h 9h Ah", "Ah 2h 4h", "9h Kc Qc", "9s 8s")
    assert worth("4h 5h 6h 7h") == 1
    for length in range(3, 10):
        cards = hand(" ".join(f"{rank}s" for rank in "A23456789"[:length]))
        assert ("sequence" in claims(cards[1:], cards[0], sequences=True)) is True
        assert is_meld("sequence", cards)


def test_kh_5_2_aces() -> None:
    only("aces", "Ah As Ad", "Ah Ah Ad", "As As Ad", "Ad Ad As")
    none("Ah Ah", "Ah As 2d")
    assert worth("Ah As Ad") == 1


def test_kh_5_3_triplet() -> None:
    only("triplet", *(f"{rank}h {rank}s {rank}d" for rank in "23456789"))
    none("5h 5h 5s", "5h 5s", "5h 5s 6d")
    assert worth("9h 9s 9d") == 2


def test_kh_5_4_royal_assembly() -> None:
    only("royal-assembly", "Jc Qc Kc")
    none("Jc Qc Qc", "Jc Jc", "Kc Kc")
    assert worth("Jc Qc Kc") == 3


def test_kh_5_5_court_meld() -> None:
    only("court-meld", "Kc 9h 9h", "Qc 8s 8s", "Jc 7d 7d")
    none("Kc 9s 9s", "Qc 9h 9h", "Kc 9h 9d", "Jc 7d 7h")
    assert worth("Kc 9h 9h") == 4


def test_kh_5_6_khanhoo() -> None:
    only("khanhoo", "Ah 2s 3d")
    none("As 2s 3d", "Ah 2h 3d", "Ah 2s 3s")
    assert worth("Ah 2s 3d") == 5


def test_kh_5_7_double_aces() -> None:
    only("double-aces", "Ah Ah As As Ad Ad")
    assert worth("Ah Ah As As Ad Ad") == 10
    assert divided("Ah Ah As As Ad") == [("aces", "As As Ah")]


def test_kh_5_8_double_triplet() -> None:
    only("double-triplet", *(" ".join(f"{rank}{suit}" for suit in "hhssdd") for rank in "23456789"))
    assert worth("5h 5h 5s 5s 5d 5d") == 10


def test_kh_5_9_double_royal() -> None:
    only("double-royal", "Jc Jc Qc Qc Kc Kc")
    assert worth("Jc Jc Qc Qc Kc Kc") == 10


def test_kh_5_10_double_khanhoo() -> None:
    only("double-khanhoo", "Ah Ah 2s 2s 3d 3d")
    assert worth("Ah Ah 2s 2s 3d 3d") == 15


@for_each(
    "cards, meld, points",
    [
        ("4h 4h 4s 4s 4d Jo", "double-triplet", 10),
        ("Ah Ah 2s 2s 3d Jo", "double-khanhoo", 15),
        ("Ah Ah As As Ad Jo", "double-aces", 10),
        ("Jc Jc Qc Qc Kc Jo", "double-royal", 10),
        ("8h 9h Jo", "sequence", 1),
        ("9h 9h Jo", "court-meld", 4),
        ("2s 3d Jo", "khanhoo", 5),
        ("Kc Jc Jo", "royal-assembly", 3),
        ("Ad Ad Jo", "aces", 1),
        ("5h 5d Jo", "triplet", 2),
    ],
)
def test_kh_5_11_the_joker_stands_for_any_card(cards: str, meld: str, points: int) -> None:
    assert [name for name, _ in divided(cards)] == [meld]
    assert worth(cards) == points


def test_kh_5_11_each_card_of_a_meld_can_be_the_joker() -> None:
    for meld, cards in (
        ("khanhoo", "Ah 2s 3d"),
        ("double-triplet", "6h 6h 6s 6s 6d 6d"),
        ("double-royal", "Jc Jc Qc Qc Kc Kc"),
        ("sequence", "3h 4h 5h 6h"),
    ):
        for place in range(len(cards.split())):
            replaced = [name for number, name in enumerate(cards.split()) if number != place]
            made = claims((*hand(" ".join(replaced))[1:], "Jo.1"), hand(" ".join(replaced))[0], sequences=True)
            assert tuple(sorted([*hand(" ".join(replaced))[1:], "Jo.1"], key=PACK.order.__getitem__)) in made[meld]


def test_kh_5_11_a_sequence_with_the_joker_ends_at_nine_and_at_the_ace() -> None:
    assert not is_meld("sequence", hand("9h Ah Jo"))
    assert worth("9h Ah Jo") == 0
    assert worth("8h 9h Jo") == 1
    assert worth("Ah 2h Jo") == 1


def test_kh_5_11_a_joker_for_a_card_of_which_both_copies_are_there() -> None:
    assert worth("Ah Ah 2s 3d 2h 3h Jo") == 5 + 1
    assert divided("7d 7d Jc Qc Kc Jo") == [("royal-assembly", "Kc Qc Jc"), ("court-meld", "7d 7d Jo")]


def test_kh_5_12_three_aces_of_three_suits_are_aces() -> None:
    assert divided("Ah As Ad") == [("aces", "As Ah Ad")]
    assert not is_meld("triplet", hand("Ah As Ad"))
    assert not is_meld("double-triplet", hand("Ah Ah As As Ad Ad"))


def test_kh_5_13_six_in_a_row_are_two_sequences() -> None:
    assert divided("Ah 2h 3h 4h 5h 6h") == [("sequence", "6h 5h 4h"), ("sequence", "3h 2h Ah")]
    assert worth("Ah 2h 3h 4h 5h 6h 7h 8h 9h") == 3
    assert worth("Ah 2h 3h 4h 5h") == 1


def test_kh_5_14_a_card_belongs_to_one_meld() -> None:
    assert worth("Ah 2s 3d 2h 3h") == 5
    for plainly in ("Ah 2s 3d 4d 5d As Ad", "Kc 9h 9h 9s 9d Qc Jc"):
        melds = best_division(hand(plainly), without_rest=False)
        assert all(not set(one.cards) & set(other.cards) for one, other in combinations(melds, 2))


def test_the_rows_and_the_check_agree_on_points() -> None:
    assert {meld: row.points for meld, row in ROWS.items()} == POINTS
