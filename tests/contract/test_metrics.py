"""What operators look at: probes, and metrics of what was requested since the start."""

import httpx


async def test_operations(client: httpx.AsyncClient) -> None:
    for path in ("/health/live", "/health/ready"):
        assert (await client.get(path)).json() == {"status": "ok"}
    await client.get("/v1/games/crocodile")
    await client.get("/v1/made-up")
    metrics = await client.get("/metrics")
    assert metrics.headers["content-type"].startswith("text/plain")
    assert 'codille_requests_total{method="GET",route="/v1/games/{game}",status="200"} 1.0' in metrics.text
    assert 'codille_requests_total{method="GET",route="unrouted",status="404"} 1.0' in metrics.text
