"""Where webhooks may go: to public addresses, over an encrypted connection, to the host that the certificate names."""

import asyncio
import ssl
from base64 import b64decode
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.x509.oid import NameOID

from service.live.sender import Sender, headers_of, secret_text, signature
from service.live.targets import Resolver, TargetRefused, Targets, parsed, system_look_up
from service.store.outbox_store import Claimed
from tests.support.for_each import for_each
from tests.support.receivers import receiving

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)

INNER = [
    "127.0.0.1", "127.255.255.255", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "2002:7f00:1::", "2001:0:7f00:1::", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "::127.0.0.1",
    # The first and the last address of each block that the registries of special addresses name, and beside it.
    "192.0.0.0", "192.0.0.9", "192.0.0.10", "192.0.0.255", "192.31.196.1", "192.52.193.1", "192.88.99.0", "192.88.99.1",
    "192.88.99.255", "192.175.48.1", "198.51.100.1", "203.0.113.1", "100.127.255.255", "198.19.255.255", "233.252.0.1",
    "fec0::", "fec0::1", "feff:ffff::1", "febf::1", "3fff::", "3fff::1", "3fff:fff:ffff::1", "5f00::1", "100::1",
    "100:0:0:1::1", "2001:1::1", "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1",
    "2001:1ff:ffff::1", "2002::1", "2002:ffff:ffff::1", "2620:4f:8000::1", "64:ff9b::1.1.1.1", "64:ff9b::808:808",
    "::ffff:0:127.0.0.1", "::ffff:192.88.99.1", "::ffff:192.0.0.9", "::1.1.1.1", "1fff::1", "4000::1", "fe00::1",
    "ff0e::1", "2001::", "100:0:0:2::1",
]  # fmt: skip
PUBLIC = [
    "1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1", "191.255.255.255", "192.0.1.1",
    "192.88.98.255", "192.88.100.0", "192.31.195.1", "223.255.255.255", "2001:200::1", "2003::1", "2620:4f:8001::1",
    "3ffe:ffff::1", "2a00:1450::1",
]  # fmt: skip


def claimed(url: str) -> Claimed:
    return Claimed("hook", 1, "your-turn", "msg_1", b"{}", "claim", 0, url, bytes(32), None)


@for_each("address", INNER)
def test_inner_addresses_are_not_called(address: str) -> None:
    targets, target = Targets(), parsed("https://cards.example/")
    assert not targets.admits(target, ip_address(address))
    literal = f"https://[{address}]/" if ":" in address else f"https://{address}/"
    with pytest.raises(TargetRefused):
        targets.check(parsed(literal))


@for_each("address", PUBLIC)
def test_public_addresses_are(address: str) -> None:
    assert Targets().admits(parsed("https://cards.example/"), ip_address(address))
    # Over the public network nothing is sent as it is read.
    assert not Targets(["10.0.0.0/8"]).admits(parsed("http://cards.example/"), ip_address(address))


def test_inner_networks_are_called_where_the_settings_say_so() -> None:
    targets = Targets(["10.0.0.0/8", "fd00::/8"])
    for url in ("http://hooks.internal/", "https://hooks.internal/"):
        target = parsed(url)
        targets.check(target)
        for address in ("10.1.2.3", "fd00::1", "::ffff:10.1.2.3"):
            assert targets.admits(target, ip_address(address))
        for address in ("127.0.0.1", "192.168.1.1", "::1"):
            assert not targets.admits(target, ip_address(address))
    with pytest.raises(TargetRefused):
        Targets().check(parsed("http://cards.example/"))


@pytest.mark.parametrize(
    ("networks", "called", "refused"),
    [
        ([], [443], [80, 8443, 22, 1, 65535]),
        (["10.0.0.0/8"], [80, 443], [8080, 6379]),
        (["10.0.0.0/8:8080"], [8080], [80, 443, 8081]),
        (["10.0.0.7:8000-8999", "fd00::/8"], [8000, 8999], [80, 443, 7999, 9000]),
        (["10.0.0.0/9:81", "10.0.0.0/8"], [80, 81, 443], [82]),
    ],
)
def test_ports_are_those_of_receivers(networks: list[str], called: list[int], refused: list[int]) -> None:
    targets, inside, outside = Targets(networks), ip_address("10.0.0.7"), ip_address("1.1.1.1")
    inner = [port for port in (*called, *refused) if targets.admits(parsed(f"https://hooks.test:{port}/"), inside)]
    assert inner == (called if networks else [])
    public = [port for port in (*called, *refused) if targets.admits(parsed(f"https://hooks.test:{port}/"), outside)]
    assert public == [port for port in (*called, *refused) if port == 443]
    for port in called:
        targets.check(parsed(f"https://hooks.test:{port}/"))
    # A public receiver may stand behind the name.
    for port in {*refused} - {80, 443}:
        with pytest.raises(TargetRefused, match="port"):
            targets.check(parsed(f"https://hooks.test:{port}/"))


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://cards.example", ("https", "cards.example", 443, "/", "cards.example")),
        ("https://Cards.Example:8443/hook?a=b", ("https", "cards.example", 8443, "/hook?a=b", "cards.example:8443")),
        ("http://127.0.0.1:80/x", ("http", "127.0.0.1", 80, "/x", "127.0.0.1")),
        ("https://[2606:4700::1]:1/?q", ("https", "2606:4700::1", 1, "/?q", "[2606:4700::1]:1")),
        ("https://cards.example?q", ("https", "cards.example", 443, "/?q", "cards.example")),
    ],
)
def test_urls_are_taken_apart(url: str, parts: Sequence[object]) -> None:
    target = parsed(url)
    assert (target.scheme, target.host, target.port, target.path, target.authority) == parts


@for_each(
    "url",
    [
        "", "cards.example", "ftp://cards.example", "https://", "https:///x", "https://ada:x@cards.example/",
        "https://cards.example/#part", "https://cards.example:0/", "https://cards.example:65536/",
        "https://cards.example:x/", "https://cards example/", "https://cards.example/a b",
        "https://cards.example/\r\nX: y", "https://cards.example\\@127.0.0.1/", "https://[::1/", "https://[1:2]/", "https://käse.example/",
        "https://cards.example/\n", "https://cards.example/" + "x" * 2000,
    ],
)  # fmt: skip
def test_what_is_no_url_for_webhooks_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="https://"):
        parsed(url)


async def test_a_name_that_leads_inside_is_not_called() -> None:
    async with receiving() as receiver:
        resolver = Resolver(Targets(), 1)
        for host in ("localhost", "127.1", "0x7f.1", "2130706433"):
            url = f"https://{host}:{receiver.port}/"
            attempt = await Sender(resolver).send(claimed(url), NOW)
            assert attempt.failure in ("address", "unreachable"), host
        assert receiver.received == []


async def test_a_name_is_looked_up_once_and_what_was_looked_at_is_called() -> None:
    answers = [["127.0.0.1"], ["127.0.0.2"], ["10.0.0.1"]]
    asked: list[tuple[str, int]] = []

    def rebinding(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return answers[len(asked) - 1]

    async with receiving() as receiver:
        resolver = Resolver(Targets(["127.0.0.1:1-65535"]), 1, rebinding)
        sender, url = Sender(resolver), f"http://rebinding.test:{receiver.port}/"
        assert (await sender.send(claimed(url), NOW)).failure is None
        assert len(asked) == 1
        assert receiver.received[0].headers["host"] == f"rebinding.test:{receiver.port}"
        # The name leads elsewhere by now, and that is looked at anew.
        assert (await sender.send(claimed(url), NOW)).failure == "address"
        assert (await sender.send(claimed(url), NOW)).failure == "address"
        assert len(receiver.received) == 1


async def test_of_several_addresses_only_those_that_may_be_called_are() -> None:
    async with receiving() as receiver:
        # Nobody listens at the second; the first must not be tried.
        found = ["127.0.0.1", "127.0.0.2"]
        resolver = Resolver(Targets(["127.0.0.2:1-65535"]), 1, lambda _host, _port: found)
        assert (await Sender(resolver).send(claimed(f"http://two.test:{receiver.port}/"), NOW)).failure == "unreachable"
        assert receiver.received == []
        resolver = Resolver(Targets(["127.0.0.0/8:1-65535"]), 1, lambda _host, _port: ["127.0.0.2", "127.0.0.1"])
        assert (await Sender(resolver).send(claimed(f"http://two.test:{receiver.port}/"), NOW)).failure is None


async def test_a_name_that_is_none_is_a_failure() -> None:
    def unknown(_host: str, _port: int) -> list[str]:
        raise OSError("no such name")

    resolver = Resolver(Targets(), 1, unknown)
    assert (await Sender(resolver).send(claimed("https://nowhere.test/"), NOW)).failure == "unreachable"
    assert system_look_up("127.0.0.1", 80) == ["127.0.0.1"]


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of `hooks.test`, with its key, which signs itself."""
    key, name = generate_private_key(SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.test")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "hooks.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return file


async def test_the_certificate_must_be_the_names_though_an_address_is_called(certificate: Path) -> None:
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=certificate)
    resolver = Resolver(Targets(["127.0.0.0/8:1-65535"]), 1, lambda _host, _port: ["127.0.0.1"])
    async with receiving(serving) as receiver:
        named, otherwise = (f"https://{host}.test:{receiver.port}/" for host in ("hooks", "others"))
        assert (await Sender(resolver, tls=trusting).send(claimed(named), NOW)).failure is None
        assert (await Sender(resolver, tls=trusting).send(claimed(otherwise), NOW)).failure == "tls"
        assert (await Sender(resolver).send(claimed(named), NOW)).failure == "tls"
        assert len(receiver.received) == 1


async def test_a_look_up_that_hangs_ends_with_the_attempt() -> None:
    looking, go = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def hang(_host: str, _port: int) -> list[str]:
        loop.call_soon_threadsafe(looking.set)
        asyncio.run_coroutine_threadsafe(go.wait(), loop).result()
        return []

    resolver = Resolver(Targets(), 1, hang)
    attempt = asyncio.create_task(Sender(resolver, timeout_s=0.01).send(claimed("https://slow.test/"), NOW))
    await looking.wait()
    assert (await attempt).failure == "timeout"
    go.set()


def test_the_signature_is_that_of_the_specification() -> None:
    # As the specification's own libraries have it in their tests.
    secret = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    made = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, b'{"test": 2432232314}')
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert secret_text(bytes(32)) == "whsec_" + "A" * 43 + "="


def test_headers_hold_no_secret() -> None:
    headers = headers_of(claimed("https://cards.example/"), NOW)
    assert set(headers) == {"Content-Type", "User-Agent", "webhook-id", "webhook-timestamp", "webhook-signature"}
    assert headers["webhook-timestamp"] == "1795168800"
