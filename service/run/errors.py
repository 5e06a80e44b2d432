"""Why the service does not run."""


class ServeError(Exception):
    """The service cannot start or go on; the message says why and what to do."""
