"""What is no proper request is counted for its address like any other, and refused where the quota is used up."""

import pytest

from service.config import Settings
from service.limits.addresses import key_of
from service.limits.quotas import Quotas
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
        assert not (await quotas.address.take(key_of(CLIENT))).within
        refused(await sent(server.port, malformed, source=ELSEWHERE), 400, "bad-request")
        assert server.measured('codille_limited_total{quota="address"}') == 1


async def test_malformed_requests_of_a_proxy_are_not_its_clients() -> None:
    settings = Settings(rate_limit=1, trusted_proxies=(f"{CLIENT}/32",))
    quotas = Quotas(settings, None, clock=lambda: 18.0)
    async with served(settings, quotas=quotas) as server:
        for _ in range(3):
            refused(await sent(server.port, b"nonsense\r\n\r\n"), 400, "bad-request")
