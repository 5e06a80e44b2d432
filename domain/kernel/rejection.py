"""The codes of refusals, and the exception that carries one. A refused action records nothing."""

from enum import StrEnum


class Code(StrEnum):
    """The kinds of refusal, in order of precedence: the first that applies is given."""

    NOT_SEATED = "not-seated"
    NOT_OPENER = "not-opener"
    ARBITER_SEATED = "arbiter-seated"
    NO_SUCH_DISPUTE = "no-such-dispute"
    NO_SUCH_BOT = "no-such-bot"
    NO_SUCH_SEAT = "no-such-seat"
    TABLE_CLOSED = "table-closed"
    TABLE_FINISHED = "table-finished"
    NOT_STARTED = "not-started"
    ALREADY_STARTED = "already-started"
    ALREADY_SEATED = "already-seated"
    ABANDONED = "abandoned"
    TABLE_FULL = "table-full"
    SEAT_TAKEN = "seat-taken"
    WRONG_PHASE = "wrong-phase"
    NOT_YOUR_TURN = "not-your-turn"
    NO_SUCH_LINE = "no-such-line"
    DEAL_NOT_OVER = "deal-not-over"
    DUPLICATE_LINE = "duplicate-line"
    DISPUTE_TOO_LATE = "dispute-too-late"
    ALREADY_DISPUTED = "already-disputed"
    ALREADY_RULED = "already-ruled"
    AUDIT_CONFIRMS = "audit-confirms"
    LOST_RACE = "lost-race"
    RULE_VIOLATION = "rule-violation"


class Rejected(Exception):
    """A refused action: `code` is the kind of refusal, `rule` the numbered rule, `detail` a sentence for people."""

    def __init__(self, code: Code, detail: str, rule: str | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.rule = rule
