"""Ombre's own words."""

from domain.games.ombre.events import (
    BidMade,
    ContractDeclared,
    DealPassedOut,
    EstuchesScored,
    ExchangeYielded,
    SurrenderAnswered,
    SurrenderOffered,
)
from domain.games.ombre.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Words, offered, say, terms_of, unless, when
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.parts.matadors import PACK, PLAIN_ORDER, RANKINGS
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, TrickWon
from domain.parts.words import (
    BID_OR_PASS,
    BIDDING,
    BIDS,
    CONTRACT,
    EXCHANGE,
    EXCHANGING,
    HIGHEST,
    MATADORS,
    PHASES,
    PLAY,
    TRICKS,
    TRUMPS_PLAYED,
    YOUR_BID,
    acts_of,
    outcome_of,
    reasoned,
    sending_of,
    trump_order,
    words_of,
)

WORDS = Words(
    introduction=Introduction(
        aim=(
            "One player, Ombre, plays alone against two and must win more tricks than either; a trick is one "
            "card from each player.",
            "Ombre wins the pool (chips laid in before) or pays for failing, and whoever has most chips at the "
            "end wins.",
        ),
        turn=(
            "First bid one of three contracts (what you undertake to do), higher than the last bid, or pass.",
            "Then trumps, the suit that beats all others, are fixed, and players may exchange cards for unseen ones.",
            TRUMPS_PLAYED,
        ),
        beginners=(
            "They forget that both black aces are trumps whatever suit is named, and that the ace of spades is "
            "the highest.",
            "They misread red suits: below the jack, low cards beat high ones, yet the 7 of trumps is the second "
            "best card.",
            "They think that a tie is enough: an Ombre with only as many tricks as a defender (opponent) pays as "
            "for a loss.",
        ),
    ),
    events={
        **words_of(BidPassed, TalonTurned, CardsExchanged, CardPlayed, TrickWon, PlayStopped, AllTricksUndertaken),
        BidMade.TYPE: EventWords(
            "auction",
            (
                say("{seat} holds {contract:term}.", when("hold", True)),
                say("{seat} bids {contract:term}."),
            ),
        ),
        DealPassedOut.TYPE: EventWords(
            "auction", (say("All have passed: nothing is played, and the pool stays as it is."),)
        ),
        ContractDeclared.TYPE: EventWords(
            "contract",
            (
                say("{seat} plays {contract:term}.", when("trump", None)),
                say("{seat} plays {contract:term}, with {trump:suit} as trumps."),
            ),
        ),
        ExchangeYielded.TYPE: EventWords("exchange", (say("{seat} lets {to:seat} exchange first."),)),
        SurrenderOffered.TYPE: EventWords("surrender", (say("{seat} offers to surrender."),)),
        SurrenderAnswered.TYPE: EventWords(
            "surrender",
            (
                say("{seat} accepts the surrender.", when("accepted", True)),
                say("{seat} forbids the surrender, and plays on as new Ombre."),
            ),
        ),
        EstuchesScored.TYPE: EventWords(
            "outcome",
            (
                say(
                    "Deal {deal:number} is over: {outcome:term}, with the estuches {estuches:cards}.",
                    unless("estuches", length=0),
                ),
                *outcome_of(
                    "win",
                    {"puesta": "a tie, or a surrender", "codille": "fewer tricks than a defender"},
                    declarer="Ombre",
                ),
            ),
        ),
    },
    acts={
        **acts_of("bid", "pass", "declare", "exchange", "play", "stop"),
        "hold": "Hold",
        "yield-exchange": "Let the other exchange first",
        "offer-surrender": "Offer to surrender",
        "answer-surrender": "Answer the surrender",
    },
    prompts=(
        say(
            "Bid higher, hold to make the same bid your own, or pass{auction:last}.",
            offered("bid"),
            offered("hold"),
            each=HIGHEST,
        ),
        say("Hold to make the same bid your own, or pass{auction:last}.", offered("hold"), each=HIGHEST),
        BID_OR_PASS,
        say("Pass, since you can bid nothing higher{auction:last}.", offered("pass"), each=HIGHEST),
        say("Name the suit of trumps{auction:last}.", offered("declare"), each=YOUR_BID),
        say("Exchange cards for unseen ones, or let the other defender exchange first.", offered("yield-exchange")),
        *EXCHANGE,
        say("Accept the surrender, or forbid it and play on alone as new Ombre.", offered("answer-surrender")),
        say("Stop here with primeras, or lead on and undertake to win all nine tricks.", offered("stop")),
        say("Lead a card, or offer to surrender the deal.", offered("offer-surrender"), offered("play")),
        say("Wait for the lead, or offer to surrender the deal.", offered("offer-surrender")),
        *PLAY,
    ),
    sending={
        **sending_of("pass", "exchange", "play", "stop"),
        "bid": (say("Bidding {contract:term} …"),),
        "hold": (say("Holding the bid …"),),
        "declare": (say("Having the top card turned …", when("trump", None)), say("Naming {trump:suit} as trumps …")),
        "yield-exchange": (say("Letting the other exchange first …"),),
        "offer-surrender": (say("Offering to surrender …"),),
        "answer-surrender": (
            say("Accepting the surrender …", when("accept", value=True)),
            say("Forbidding the surrender …"),
        ),
    },
    purposes={
        "auction": BIDDING,
        "declaration": "Bidding is over: the suit that beats the others is fixed before cards are exchanged.",
        "exchange": EXCHANGING,
        "surrender": "Ombre would give the deal up for lost, which takes the consent of both defenders.",
        "play": TRICKS,
    },
    final={"bid": "contract", "declare": "contract", "exchange": "exchange"},
    sections=(
        "The game",
        "Cards and trumps",
        "Pool and deal",
        "Auction and exchange",
        "Play",
        "Results and bonuses",
        "Surrender",
        "Payment",
    ),
    promises={
        **terms_of(RULEBOOK, "text"),
        "act": {
            "hold": "The same bid is yours now, since you come before its bidder, who must bid higher or pass.",
            "stop": "You win with primeras, one chip more from each defender, and do not try for all nine tricks.",
            "offer-surrender": "If both defenders accept, you pay as for a tie; who forbids it plays in your place.",
            "answer-surrender": "Who forbids it plays alone: five tricks gain the pool's value and 5 chips, fewer "
            "cost the same.",
        },
    },
    terms=terms_of(RULEBOOK)
    | {"phase": PHASES | {"passed-out": "passed out", "surrender": "surrender", "surrendered": "surrendered"}},
    status=(
        BIDS,
        CONTRACT,
        (MATADORS, *trump_order(PACK, RANKINGS, PLAIN_ORDER)),
        (
            say("{surrender.new_ombre:seat} is new Ombre.", unless("surrender.new_ombre", None)),
            say("{surrender.seat:seat} offers to surrender.", unless("surrender", None)),
        ),
    ),
    marks={"contract.declarer": "Ombre", "surrender.new_ombre": "new Ombre"},
    lines={
        "estuches": (reasoned(how="{cards}"),),
        **dict.fromkeys(
            ("contract", "puesta", "codille"),
            (
                reasoned(how="{outcome:text} ({new_ombre:seat}), {how:text}"),
                reasoned(how="{outcome:text} ({new_ombre:seat})"),
                reasoned(),
            ),
        ),
        "pool": (reasoned(),),
        "vole": (reasoned(),),
        "primeras": (reasoned(), reasoned(how=None)),
        "ante": (say("The dealer's ante: {chips:number}"),),
        "share": (say("{part:text} of the {pool:number} left in the pool: {chips:number}"),),
    },
    fields={
        "answers": Meaning("The defenders' answers so far."),
        "beaten": Meaning("The number of the beaten, among Ombre and the new Ombre.", least=0),
        "chips": Meaning("Each player's chips, by seat: those at the start, and the total since."),
        "Contract.exchange": Meaning("The most cards that Ombre may exchange; null for none.", least=0),
        "Call.hold": Meaning("Whether the standing bid was held, and so made the player's own (OM-4.2)."),
        "lone_player": Meaning("The seat that plays alone: Ombre's, or the new Ombre's (OM-7.3)."),
        "Contract.surrender": Meaning("Whether Ombre may offer to surrender."),
        "defender": Meaning("The most cards that each defender may exchange.", least=0),
        "estuches": Meaning("The cards for which Ombre is paid, high to low."),
        "hold": Meaning("Whether it is the standing bid, held by a player who comes before its bidder."),
        "least": Meaning("The least that each defender pays for it.", least=0),
        "most": Meaning("The most that each defender pays for it.", least=0),
        "new_ombre": Meaning("The seat that forbade the surrender and plays on in Ombre's place.", least=0),
        "pool": Meaning("The amount in the pool."),
        "Result.pool": Meaning("What happens to the pool's value."),
        "surrender": Meaning("Ombre's offer to surrender; null for none."),
        "tricks_needed": Meaning("The tricks that the new Ombre needs (OM-7.3); null where Ombre plays on."),
        "vole": Meaning("1 if all tricks were undertaken and won, -1 if undertaken and not won, 0 if not undertaken."),
    },
)
