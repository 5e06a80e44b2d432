"""The commands' client: what it does where the service holds it back."""

import httpx
import pytest

from service.cli.client import Client, ServiceRefusal


def answering(*answers: httpx.Response) -> Client:
    """A client of a service that gives these answers."""
    left = iter(answers)
    transport = httpx.MockTransport(lambda _: next(left))
    return Client("http://codille.test", httpx.Client(transport=transport, base_url="http://codille.test"))


def held_back(seconds: int) -> httpx.Response:
    return httpx.Response(
        429, json={"code": "rate-limited", "detail": "no more"}, headers={"Retry-After": str(seconds)}
    )


def test_a_request_over_a_quota_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("service.cli.client.time.sleep", waits.append)
    assert answering(held_back(42), held_back(60), httpx.Response(200, json=[1])).get("/v1/games") == [1]
    assert waits == [42.0, 60.0]


def test_nobody_waits_for_an_hour() -> None:
    with pytest.raises(ServiceRefusal, match="no more") as refused:
        answering(held_back(3000)).get("/v1/games")
    assert refused.value.status == 429
