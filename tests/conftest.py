"""What all tests may use: real servers and a running service, one of each a test process."""

import signal

pytest_plugins = ["tests.support.postgres", "tests.support.redis", "tests.support.servers", "tests.support.service"]

# A shell has its background commands ignore SIGINT, and programs inherit that. Tests stop programs with it.
signal.signal(signal.SIGINT, signal.default_int_handler)
