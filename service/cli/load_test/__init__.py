"""Load on a deployment, through the interface alone: many tables played at once by players who know no rules."""

from service.cli.load_test.connection import Answered, Connection, Lost
from service.cli.load_test.play import CannotPlay, Load, Report, play
from service.cli.load_test.samples import Latencies, latencies

__all__ = ["Answered", "CannotPlay", "Connection", "Latencies", "Load", "Lost", "Report", "latencies", "play"]
