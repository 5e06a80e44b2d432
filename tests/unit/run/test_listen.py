"""The ports that the service listens on."""

import socket
from contextlib import closing

import pytest

from service.run.listen import bind, listen
from tests.support.ports import free_port
from tests.support.sockets import CLIENT


def test_a_port_that_the_system_picked_is_the_services_own_before_it_listens() -> None:
    with closing(bind(CLIENT, 0)) as own, socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with pytest.raises(OSError, match="Address already in use"):
            other.bind(own.getsockname())
        listen(own)


def test_a_port_is_taken_again_while_the_connections_of_the_server_before_end() -> None:
    port = free_port()
    with closing(bind(CLIENT, port)) as before:
        listen(before)
        client = socket.create_connection((CLIENT, port))
        # Who closes first keeps the port in TIME_WAIT.
        before.accept()[0].close()
        client.close()
    with closing(bind(CLIENT, port)) as after:
        listen(after)
