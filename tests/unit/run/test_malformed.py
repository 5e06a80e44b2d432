"""What is no proper request is counted for its address like any other, and refused where the quota is used up."""

import pytest
import structlog

from service.config import Settings
from service.http.problems import Problem
from service.limits.addresses import distinct_keys
from service.limits.quotas import Quotas
from service.observability.metrics import Metrics
from service.run.connections import Connections
from tests.support.sockets import CLIENT, refused, sent, served

ELSEWHERE = "127.0.0.2"


@pytest.mark.parametrize("malformed", [b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"])
async def test_malformed_requests_are_counted(malformed: bytes) -> None:
    settings = Settings(rate_limit=3)
    quotas = Quotas(settings, None, clock=lambda: 18.0)
    async with served(settings, quotas=quotas) as server:
        for _ in range(3):
            refused(await sent(server.port, malformed), 400, "bad-request")
        answer = await sent(server.port, malformed)
        refused(answer, 429, "rate-limited")
        assert b"\r\nretry-after: 42\r\n" in answer
        assert not (await quotas.address[0].take(distinct_keys(CLIENT)[0])).within
        refused(await sent(server.port, malformed, source=ELSEWHERE), 400, "bad-request")
        assert server.measured('codille_limited_total{quota="address"}') == 1


async def test_malformed_requests_of_a_proxy_are_not_its_clients() -> None:
    settings = Settings(rate_limit=1, trusted_proxies=(f"{CLIENT}/32",))
    quotas = Quotas(settings, None, clock=lambda: 18.0)
    async with served(settings, quotas=quotas) as server:
        for _ in range(3):
            refused(await sent(server.port, b"nonsense\r\n\r\n"), 400, "bad-request")


async def test_malformed_requests_count_for_the_networks_around_their_address() -> None:
    settings = Settings(rate_limit=2)
    connections = Connections(
        settings,
        Metrics(),
        structlog.get_logger(),
        listener="interface",
        most=9,
        quotas=Quotas(settings, None, clock=lambda: 18.0),
    )
    problem = Problem("bad-request", "this is not a request of HTTP/1.1")
    answers = [connections.counted(f"2001:db8:0:{number}::", problem) for number in range(5)]
    assert [answer.code for answer in answers] == ["bad-request"] * 4 + ["rate-limited"]
