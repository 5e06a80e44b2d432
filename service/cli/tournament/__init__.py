"""The tournament: levels of opponents play duplicate deals against each other in each game, on all cores."""

from service.cli.tournament.contests import Contest, Tournament
from service.cli.tournament.report import write_report
from service.cli.tournament.state import DealsFile
from service.cli.tournament.workers import WorkerLost, play

__all__ = ["Contest", "DealsFile", "Tournament", "WorkerLost", "play", "write_report"]
