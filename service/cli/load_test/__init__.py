"""The load test: many tables played at once through the interface, by players who know no rules."""

from service.cli.load_test.http_connection import Connection, ConnectionLost, Response
from service.cli.load_test.play import CannotPlay, Latencies, Load, LoadReport, latencies, play

__all__ = [
    "CannotPlay", "Connection", "ConnectionLost", "Latencies", "Load", "LoadReport", "Response", "latencies", "play"
]  # fmt: skip
