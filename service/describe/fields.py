"""The meaning and limits of properties by name, for types that do not describe their fields themselves.

The domain's types give a field's kind, not its meaning to a client. A key is the name of a property, or
`Component.property` if one component uses the name differently.
"""

from typing import Any

ID: dict[str, Any] = {"type": "string", "format": "uuid"}
HEX: dict[str, Any] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
TIME: dict[str, Any] = {"type": "string", "format": "date-time"}
VERSION: dict[str, Any] = {"type": "integer", "minimum": 1}
_SEAT: dict[str, Any] = {"minimum": 0}
_ID: dict[str, Any] = {"format": "uuid"}
_HEX: dict[str, Any] = {"pattern": HEX["pattern"]}

FIELDS: dict[str, dict[str, Any]] = {
    "table": _ID | {"description": "The table's id."},
    "game": {"description": "The game's name."},
    "player": _ID | {"description": "The player's id."},
    "opener": _ID | {"description": "The player who opened the table."},
    "Face.rank": {"description": "The rank: `A`, `K`, `Q`, `J`, `T` for the ten, `9` to `2`, or `Jo` for a joker."},
    "Face.suit": {"description": "The suit; null for a joker."},
    "Face.copy": {"minimum": 1, "description": "The copy, from 1; null if there is only one such card."},
    "Face.owner": _SEAT | {"description": "The seat to whose pack it belongs; null if there is one pack."},
    "seat": _SEAT | {"description": "A seat; seats are numbered clockwise from 0."},
    "dealer": _SEAT | {"description": "The seat that deals."},
    "first_dealer": _SEAT | {"description": "The seat that deals first."},
    "winners": {
        "items": _SEAT,
        "description": "The seats that have won by the game's rules; null until the game is finished.",
    },
    "GameFinished.winners": {"items": _SEAT, "description": "The seats that have won by the game's rules."},
    "to_act": {"items": _SEAT, "description": "The seats that must act."},
    "totals": {"description": "The total of each seat's player, in the game's unit, by seat."},
    "version": {"minimum": 1, "description": "The version: the number of events in the table's record."},
    "rules_version": {"minimum": 1, "description": "The version of the rules in force."},
    "rules_digest": _HEX | {"description": "SHA-256 of the rules' data, in hex."},
    "options": {"description": "The options in force."},
    "deals": {"minimum": 1, "description": "The number of deals of the game."},
    "deal": {"minimum": 1, "description": "The number of the deal, from 1."},
    "seed": _HEX | {"description": "The deal's seed, in hex."},
    "TableSecret.seed": _HEX | {"description": "The last seed of the chain, in hex."},
    "seed_commitment": _HEX | {"description": "The chain's seed(0), in hex."},
    "entropy": {
        "pattern": "^([0-9a-f]{2}){0,64}$",
        "description": "The player's contribution to the shuffle, in hex; null for none.",
    },
    "CardsDealt.shown": {"description": "The openings that everybody gets, in games that deal cards face up."},
    "CardsDealt.rejected": {
        "description": "Lists of cards that were drawn, rejected and shuffled in again, in games that do so."
    },
    "card_commitments": {
        "items": _HEX,
        "description": "A commitment, in hex, for each place of the cards that are shuffled, from the top.",
    },
    "salt": _HEX | {"description": "The salt, in hex."},
    "Opening.position": {"minimum": 0, "description": "The card's place in the pack, from the top."},
    "status": {
        "description": "Whether the table is open, playing, finished, or closed (by its opener, or as it did not fill)."
    },
    "you": _SEAT | {"description": "The seat whose view it is; null for the public, and where all hands are open."},
    "Offers.you": _SEAT | {"description": "The caller's seat; null without one."},
    "phase": {
        "description": "The phase of the deal; `scored` when it is over, `broken-off` when the game has ended in it, "
        "null before the first deal."
    },
    "TableOpened.rematch": {"description": "The previous game; only at a table that was opened for a rematch."},
    "Rematch.of": _ID | {"description": "The id of the previous table."},
    "TableOpened.table": {"description": "The table's own options that differ from the defaults."},
    "deadlines": {
        "description": "The times at which an event follows without an act; only at a table with a clock, or of a game "
        "with time limits."
    },
    "clocks": {"description": "The seats' clocks; only at a table with a clock."},
    "CardsDealt.clocks": {"description": "The reserves of the seats' clocks, by seat; only at a table with a clock."},
    "leaving": {"description": "Who has left, or wants to; only once a player has left the game, or wants to end it."},
    "DeadlineView.seat": _SEAT
    | {"description": "The seat whose time runs out; null for a limit of the game's own rules."},
    "DeadlineView.at": TIME | {"description": "The first moment at which it may happen."},
    "DeadlineView.rule": {"description": "The numbered rule that sets it."},
    "reserve_ms": {
        "minimum": 0,
        "description": "The reserve that was left when the clock began to run, in milliseconds.",
    },
    "run_out": {"minimum": 0, "description": "The acts in a row that the house took because the time had run out."},
    "agreed": {"items": _SEAT, "description": "The seats that agree to end the game."},
    "abandoned": {"items": _SEAT, "description": "The seats whose players have left the game for good."},
    "bots": {"items": _SEAT, "description": "The seats that the house plays."},
    "agree": {"description": "Whether the player agrees to end the game at once."},
    "GameFinished.seed": _HEX
    | {"description": "The seed of the deal in which the game ended, in hex; left out if it ended after a deal."},
    "seats": {"description": "The seats, by number."},
    "draws": {"description": "The cards that the seats drew for the first deal, in games that draw."},
    "known": {"description": "The known cards, sorted."},
    "hidden": {"minimum": 0, "description": "The number of other cards."},
    "hand": {"description": "The hand, as far as it is known."},
    "tricks": {"minimum": 0, "description": "The number of tricks that the seat won in this deal."},
    "DealtTalon.talon": {"description": "The talon's cards, from its top."},
    "cards": {"description": "The cards."},
    "card": {"description": "The card."},
    "text": {"description": "The text, as written."},
    "type": {"description": "The type."},
    "outcome": {"description": "The outcome of the deal, by name."},
    "reason": {"description": "The reason."},
    "GameFinished.reason": {
        "description": "Why the game is over: `last deal scored`; `target reached`, or `target passed` in games that "
        "need more points than the target; `ended by agreement`; `no player is left`; or `abandoned by seat N`. In old "
        "records it is `target exceeded` instead of `target passed`."
    },
    "lines": {"description": "The booked lines, each amount with its counter-line."},
    "account": {"description": "`player:ID`, `bank` or `pool`."},
    "with": {"description": "The account that bears the counter-line."},
    "LedgerLine.seat": _SEAT | {"description": "The player's seat; null for the bank and a pool."},
    "amount": {"description": "The amount that the account gains, in the game's unit; negative for a loss."},
    "kind": {"description": "The kind of line: the contract, a bonus, …"},
    "rule": {"description": "The numbered rule that the line follows from."},
    "LedgerLine.text": {"description": "The line in words. An amount in it has no sign; `amount` has."},
    "GameSummary.seats": {"minimum": 1, "description": "The number of seats under the default options."},
    "GameDetails.seats": {"minimum": 1, "description": "The number of seats under the default options."},
    "title": {"description": "The game's title."},
    "GameSummary.deals": {"description": "The numbers of deals that a table of the game may have."},
    "GameDetails.deals": {"description": "The numbers of deals that a table of the game may have."},
    "contracts": {"description": "The contracts, one row each."},
    "bonuses": {"description": "The bonuses, one row each."},
    "outcomes": {"description": "The outcomes of a deal, one row each."},
    "rules": {"description": "The numbered rules."},
    "schemas": {"description": "JSON Schemas (2020-12) of options, actions, offers, view, events and ledger lines."},
    "id": {"description": "The id."},
    "Rule.id": {"description": "The rule's number."},
    "Rule.text": {"description": "The rule's text."},
    "reading": {"description": "Whether the rule settles a point that its source leaves open."},
    "option": {"description": "The option that changes the rule; null for none."},
    "name": {"description": "The title."},
    "Rank.rank": {"minimum": 1, "description": "The place, from 1. Equal totals share a place."},
    "items": {"description": "The items of the page."},
    "next": {"description": "The cursor of the next page; null on the last."},
    "replay": {"description": "The address of the table's view at a version, as a URI template (RFC 6570)."},
    "unit": {"description": "The unit of all amounts."},
    "balances": {"description": "The balance of each account."},
    "balance": {"description": "The sum of the account's lines."},
    "token": {"description": "The secret to send as `Authorization: Bearer …`."},
    "scopes": {"description": "The scopes of the token."},
    "current": {"description": "Whether the token authenticated this request."},
    "created_at": {"format": "date-time", "description": "The time of creation."},
    "last_used_at": {"format": "date-time", "description": "The time of the last use, to the hour; null for never."},
    "opened_at": {"format": "date-time", "description": "The time at which the table was opened."},
    "updated_at": {"format": "date-time", "description": "The time of the table's last event."},
    "erased": {"description": "Whether the profile was erased."},
    "record": {"description": "The player's record; null while it cannot be read."},
    "players": {"items": _ID, "description": "The players by seat; null for a free seat."},
    "total": {"description": "The sum of all booked lines."},
    "games": {"minimum": 0, "description": "The number of finished games."},
    "wins": {"minimum": 0, "description": "The number of games won, shared wins included."},
    "offers": {"description": "The actions that the caller's seat may take now; empty without a seat."},
    "events": {"description": "The events that follow from the action, as the actor may see them."},
    "changed": {"description": "The fields of the view that differ from the version before."},
    "steps": {"description": "The versions of the range, in order."},
    "verdict": {
        "description": "`altered` if a check failed; else `not-judged` if rules or events are unknown, or `intact`."
    },
    "checks": {
        "description": "The checks: one entry for each name and rule that passed, one for each check that failed."
    },
    "passed": {"description": "Whether the record agrees with the computed value."},
    "recorded": {"description": "The recorded value of a failed check; several values by position."},
    "computed": {"description": "The value that a failed check computed."},
    "dispute": {"minimum": 1, "description": "The dispute's number at its table."},
    "disputes": {"description": "The disputes at the table, with their status."},
    "DisputeView.status": {"description": "`open`, or the ruling."},
    "line": {"minimum": 0, "description": "The line's number within its event, from 0."},
    "LineAt.version": {"minimum": 1, "description": "The version of the event that booked the line."},
    "DisputeOpened.lines": {"description": "The disputed lines."},
    "DisputeView.lines": {"description": "The disputed lines."},
    "TextErased.version": {"minimum": 1, "description": "The version of the event whose text was erased."},
    "TextErased.audience": {"enum": ["public"], "description": "The audience of the erased section."},
    "at": {"format": "date-time", "description": "The time of the event."},
    "ruling": {"description": "`upheld` or `rejected`."},
    "arbiter": _ID | {"description": "The arbiter's player id."},
    "correction": {"minimum": 1, "description": "The version of the event that corrects the ledger; null for none."},
    "audits": {"description": "The audits of the deals concerned."},
    "audit": {"description": "The audit."},
    "Webhook.position": {"minimum": 0},
    "position": {"minimum": 1, "description": "The event's position in the log, from 1."},
    "size": {"minimum": 1, "description": "The tree's size: the number of its events."},
    "leaf": _HEX | {"description": "The event's hash."},
    "proof": {"items": _HEX, "description": "The hashes of the proof, in the order of RFC 6962."},
    "first": {"minimum": 1, "description": "The smaller tree's size."},
    "second": {"minimum": 1, "description": "The larger tree's size."},
    "verifier": {"description": "The public key in the form of C2SP's signed notes: `NAME+ID+KEY`."},
    "LogKey.since": {"minimum": 0, "description": "The key signs checkpoints of more events than this."},
    "until": {"minimum": 0, "description": "The key signs checkpoints of at most this many events; null: no limit."},
    "announcement": {
        "description": "The note, signed by the previous key, that names this key; null for the first key."
    },
    "Problem.status": {"minimum": 400, "maximum": 599, "description": "The HTTP status."},
    "detail": {"description": "The fault, in words."},
    "pointer": {"description": "The field of the body, as a JSON pointer (RFC 6901)."},
    "parameter": {"description": "The parameter of the query."},
    "LedgerLine.events": {"items": {"minimum": 1}, "description": "The versions of the events that cause the line."},
}
