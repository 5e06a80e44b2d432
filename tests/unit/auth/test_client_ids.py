"""Which `client_id` is a client, and where it may be redirected to."""

from service.auth.client_ids import check_redirect, identified
from tests.support.for_each import for_each

ISSUER = "https://cards.example"
HERE = "http://127.0.0.1:8000"

CLIENTS = {
    "https://client.example/": "client.example",
    "https://client.example/in": "client.example",
    "https://client.example/a/b.html": "client.example",
    "https://client.example/~ada/in_-.": "client.example",
    "https://client.example/...": "client.example",
    "https://client.example:8443/in": "client.example:8443",
    "https://xn--bcher-kva.example/in": "xn--bcher-kva.example",
    "https://a.xn--p1ai/in": "a.xn--p1ai",
    "https://cards.example/docs": "cards.example",
    "https://cards.example.evil.example/docs": "cards.example.evil.example",
    "http://127.0.0.1/": "127.0.0.1",
    "http://127.0.0.1/in": "127.0.0.1",
    "http://[::1]/in": "[::1]",
    "http://localhost/in": "localhost",
}

NONE = (
    "", "client", "client.example/in", "//client.example/in", "HTTPS://client.example/in", "https:/client.example/in",
    "https://client.example", "https://Client.example/in", "http://client.example/in", "ftp://client.example/in",
    "com.example.app:/in", "javascript:alert(1)", "data:text/html,x", "https:///in",
    # A query, a fragment, a user part, percent signs, backslashes, dot segments.
    "https://client.example/in?", "https://client.example/in?a=b", "https://client.example/in#", "https://client.example/#x",
    "https://ada@client.example/in", "https://cards.example@client.example/in", "https://:@client.example/in",
    "https://client.example/%69n", "https://client.example/%2569n", "https://client.example/%2e%2e/in",
    "https://client.example\\in", "https://client.example/\\in", "https://client.example\\@cards.example/in",
    "https://client.example/./in", "https://client.example/../in", "https://client.example/a/..", "https://client.example/.",
    # Other characters, and hosts that are read as others.
    "https://client.example/in;a", "https://client.example/a b", "https://client.example/in\n", "https://client.example/\0",
    "https://client.example/\u00ef", "https://cl\u0131ent.example/in", "https://client.example\u3002evil.example/in",
    "https://client..example/in", "https://.example/in", "https://client.example./in", "https://-client.example/in",
    "https://client-.example/in", "https://cli_ent.example/in", "https://client/in", "https://localhost/in",
    f"https://{'a' * 64}.example/in", f"https://client.example/{'a' * 500}",
    # Addresses, however they are written.
    "https://192.0.2.1/in", "https://127.0.0.1/in", "https://[2001:db8::1]/in", "https://2130706433/in", "https://127.1/in",
    "https://0x7f.1/in", "https://client.0x7f000001/in", "https://client.1/in", "https://0177.0.0.1/in",
    # Ports.
    "https://client.example:/in", "https://client.example:0/in", "https://client.example:08443/in",
    "https://client.example:443/in", "https://client.example:65536/in", "https://client.example:99999999/in",
    # The service's own host.
    "https://cards.example/", "https://cards.example/docs/", "https://cards.example/docs/viewer", "https://cards.example/play/x",
    "https://cards.example:8443/docs", "https://cards.example/authorize",
    # Loopback is named without a port, and only by these names.
    "http://127.0.0.1:8000/in", "http://127.0.0.2/in", "http://127.1/in", "http://0.0.0.0/in", "http://[::]/in",
    "http://[0:0:0:0:0:0:0:1]/in", "http://localhost.evil.example/in", "http://app.localhost/in", "http://localhost", "http://LOCALHOST/in",
    "http://ada@localhost/in", "http://localhost/in?a", "http://localhost/../in", "http://localhost/%69n",
)  # fmt: skip


@for_each("client_id", CLIENTS)
def test_these_are_clients_with_their_hosts(client_id: str) -> None:
    client = identified(client_id, ISSUER)
    assert (client.id, client.host, client.is_local) == (client_id, CLIENTS[client_id], client_id.startswith("http:"))


@for_each("client_id", NONE)
def test_these_are_none(client_id: str) -> None:
    assert refused(client_id, client_id) == "client"


REDIRECTS = {
    "https://client.example/in": ("https://client.example/in",),
    "http://127.0.0.1/in": ("http://127.0.0.1/in", "http://127.0.0.1:1/in", "http://127.0.0.1:65535/in"),
    "http://[::1]/in": ("http://[::1]/in", "http://[::1]:5173/in"),
    "http://localhost/in": ("http://localhost/in", "http://localhost:5173/in"),
}
ELSEWHERE = {
    "https://client.example/in": (
        "", "https://client.example/", "https://client.example/in/", "https://client.example/in/more",
        "https://client.example/other", "https://client.example/in#x", "https://client.example/in?x",
        "https://ada@client.example/in", "https://evil.example/in", "https://client.example:443/in",
        "https://client.example:8443/in", "http://client.example/in", "https://client.example/%69n",
        "https://client.example/%2569n", "https://client.example/x/../in", "https://CLIENT.example/in",
        "https://client.example/in ", "http://127.0.0.1/in",
    ),
    "http://127.0.0.1/in": (
        "", "http://localhost:5173/in", "http://[::1]:5173/in", "http://127.0.0.1:5173/", "http://127.0.0.1:5173/in#x",
        "http://127.0.0.1:5173/in?x", "http://ada@127.0.0.1:5173/in", "http://127.0.0.1:0/in", "http://127.0.0.1:/in",
        "http://127.0.0.1:65536/in", "http://127.0.0.1:05173/in", "http://127.0.0.1:5173@evil.example/in",
        "https://127.0.0.1:5173/in", "http://evil.example:5173/in",
    ),
}  # fmt: skip


@for_each("client_id, redirect_uri", [(client, uri) for client, uris in REDIRECTS.items() for uri in uris])
def test_a_client_is_redirected_to_its_id_and_on_loopback_to_any_port(client_id: str, redirect_uri: str) -> None:
    assert refused(client_id, redirect_uri) is None


@for_each("client_id, redirect_uri", [(client, uri) for client, uris in ELSEWHERE.items() for uri in uris])
def test_a_client_is_redirected_nowhere_else(client_id: str, redirect_uri: str) -> None:
    assert refused(client_id, redirect_uri) == "redirect"


def test_a_service_on_loopback_redirects_to_its_own_port_for_its_documentation_alone() -> None:
    assert refused("http://127.0.0.1/docs", "http://127.0.0.1:8000/docs", HERE) is None
    for client_id in ("http://127.0.0.1/play", "http://localhost/docs", "http://[::1]/docs"):
        own = client_id.replace("/docs", ":8000/docs").replace("/play", ":8000/play")
        assert refused(client_id, own, HERE) == "redirect", own
        assert refused(client_id, own.replace("8000", "8001"), HERE) is None, own


def refused(client_id: str, redirect_uri: str, issuer: str = ISSUER) -> str | None:
    """What is refused."""
    try:
        client = identified(client_id, issuer)
    except ValueError:
        return "client"
    try:
        check_redirect(client, redirect_uri, issuer)
    except ValueError:
        return "redirect"
    return None
