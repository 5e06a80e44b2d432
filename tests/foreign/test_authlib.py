"""Authlib's client for httpx is let in by a player, and ends its token."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.foreign.playing import CLIENT, Game
from tests.support.letting_in import sent_back

httpx_client = pytest.importorskip("authlib.integrations.httpx_client", reason="authlib is not installed")
security = pytest.importorskip("authlib.common.security", reason="authlib is not installed")

NAME = "https://client.example/authlib"


@pytest.fixture
def game(service_url: str) -> Game:
    return Game(service_url)


@pytest.fixture
def metadata(service_url: str) -> dict[str, Any]:
    answer: dict[str, Any] = CLIENT.get(f"{service_url}/.well-known/oauth-authorization-server").json()
    return answer


@pytest.fixture
def client() -> Iterator[Any]:
    made = httpx_client.OAuth2Client(
        NAME,
        scope="read seat",
        redirect_uri=NAME,
        code_challenge_method="S256",
        token_endpoint_auth_method="none",
        trust_env=False,
    )
    with made:
        yield made


def test_it_logs_in_acts_and_ends_its_token(game: Game, metadata: dict[str, Any], client: Any) -> None:
    verifier = security.generate_token(48)
    url, state = client.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
    back = sent_back(url, game.tokens[0])
    token = client.fetch_token(
        metadata["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier
    )
    assert (token["token_type"], token["scope"].split()) == ("Bearer", ["read", "seat"])
    assert not client.token.is_expired()
    assert client.get(f"{game.url}/players/me").json()["player"] == game.get("/players/me")["player"]
    opened = client.post(f"{game.url}/tables", json={"game": "ombre"})
    assert opened.status_code == 201
    assert client.revoke_token(metadata["revocation_endpoint"], token["access_token"]).status_code == 200
    assert client.get(f"{game.url}/players/me").status_code == 401


def test_it_says_that_another_verifier_is_not_granted(game: Game, metadata: dict[str, Any], client: Any) -> None:
    url, state = client.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=security.generate_token(48)
    )
    back = sent_back(url, game.tokens[0])
    with pytest.raises(httpx_client.OAuthError, match="invalid_grant: the code is not valid"):
        client.fetch_token(
            metadata["token_endpoint"],
            authorization_response=back,
            state=state,
            code_verifier=security.generate_token(48),
        )
