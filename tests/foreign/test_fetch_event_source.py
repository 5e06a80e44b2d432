"""npm's @microsoft/fetch-event-source follows a game."""

from tests.foreign import npm
from tests.foreign.playing import follow

pytestmark = npm.needs("@microsoft/fetch-event-source")


def test_it_follows_a_game_over_idle_streams_and_breaks(service_url: str) -> None:
    follow(service_url, npm.following("fetch_event_source.mjs"))
