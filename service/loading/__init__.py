"""Load on a deployment, through the interface alone: many tables played at once by players who know no rules."""

from service.loading.connection import Answered, Connection, Lost
from service.loading.play import CannotPlay, Load, Report, play
from service.loading.samples import Latencies, latencies

__all__ = ["Answered", "CannotPlay", "Connection", "Latencies", "Load", "Lost", "Report", "latencies", "play"]
