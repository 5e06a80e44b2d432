"""Times as clients write them (RFC 3339)."""

from datetime import UTC, datetime

import pytest

from service.http.forms import instant
from tests.support.for_each import for_each

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MIDNIGHT = datetime(2027, 1, 1, tzinfo=UTC)
TIMES = {
    "2026-11-20T12:00:00Z": NOON,
    "2026-11-20t12:00:00z": NOON,
    "2026-11-20 12:00:00Z": NOON,
    "2026-11-20T13:00:00+0100": NOON,
    "2026-11-20T12:00:00-00:00": NOON,
    "2026-11-20T12:00:00.0+00:00": NOON,
    "2026-11-20T17:45:00.000000000+05:45": NOON,
    "2026-11-19T12:01:00-23:59": NOON,
    "2026-11-20T12:00:00.5Z": NOON.replace(microsecond=500_000),
    "2026-11-20T12:00:00.1234567Z": NOON.replace(microsecond=123_457),
    "2026-11-20T12:00:00.123456000Z": NOON.replace(microsecond=123_456),
    "2026-11-20T12:00:00.000000001Z": NOON.replace(microsecond=1),
    "2026-12-31T23:59:59.999999999Z": MIDNIGHT,
    "2026-12-31T23:59:60Z": MIDNIGHT,
    "2026-12-31T23:59:60.25Z": MIDNIGHT.replace(microsecond=250_000),
    "2026-12-31T15:59:60-08:00": MIDNIGHT,
    "2027-01-01T05:44:60+05:45": MIDNIGHT,
    "2016-02-29T23:59:60Z": datetime(2016, 3, 1, tzinfo=UTC),
}
NO_TIMES = (
    "", "2026-11-20", "2026-11-20T12:00Z", "2026-11-20T12:00:00", "2026-11-20T12:00:00 01:00",
    "2026-11-20T12:00:00.Z", "2026-11-20T12:00:00,5Z", "2026-11-20T12:00:00.1234567890Z",
    "2026-11-20T12:00:00+24:00", "2026-11-20T12:00:00+01:60", "2026-11-31T12:00:00Z", "2026-02-29T12:00:00Z",
    "2026-11-20T24:00:00Z", "2026-11-20T12:60:00Z", "2026-11-20T12:00:61Z", "20261120T120000Z", "2026-W47-5T12:00:00Z",
    "2026-11-20T23:59:60Z", "2026-12-31T22:59:60Z", "2026-12-31T23:58:60Z", "2026-12-31T23:59:60-08:00",
    "2026-12-31T23:59:60.5.5Z", "٢٠٢٦-11-20T12:00:00Z", "2026-11-20T12:00:00Z\n",
)  # fmt: skip


@for_each("text", TIMES)
def test_a_time_has_up_to_nine_digits_of_a_second_any_offset_and_leap_seconds(text: str) -> None:
    assert instant(text) == TIMES[text]


@for_each("text", NO_TIMES)
def test_what_is_no_time_is_none(text: str) -> None:
    assert instant(text) is None


def test_a_time_outside_the_calendar_is_out_of_range() -> None:
    for text in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59.9999999Z"):
        with pytest.raises(OverflowError):
            instant(text)
