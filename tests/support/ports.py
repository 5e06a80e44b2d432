"""Ports that stay a test's own, also while nothing listens there: what is restarted comes back at the same port."""

import secrets
import socket

HOST = "127.0.0.1"
FIRST, AFTER = 12_000, 22_000
"""Linux gives outgoing connections ports from 32768 on. So do these stay free, and those of the buses of Redis, which
are ten thousand above.
"""


def free_port() -> int:
    """A port at which nothing listens, and that no other process of tests is given while this one runs."""
    while True:
        port = FIRST + secrets.randbelow(AFTER - FIRST)
        # Nobody sends datagrams: a socket for them keeps the number, until the process ends.
        keeping = socket.socket(type=socket.SOCK_DGRAM)
        try:
            keeping.bind((HOST, port))
            with socket.socket() as listening:
                listening.bind((HOST, port))
        except OSError:
            keeping.close()
        else:
            keeping.detach()
            return port
