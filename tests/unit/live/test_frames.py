"""Frames as bytes."""

from service.live.frames import SSE, frame


def test_the_id_stands_after_the_data_that_it_acknowledges() -> None:
    assert frame(SSE, "event", b"{}", 7) == b"event: event\ndata: {}\nid: 7\n\n"
    assert frame(SSE, "presence", b"{}") == b"event: presence\ndata: {}\n\n"
