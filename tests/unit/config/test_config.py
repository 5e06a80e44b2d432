"""Settings from the environment: what each variable takes, and how a wrong value is reported."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from msgspec import structs

from domain.registry import GAMES as OFFERED
from service.config import GONE, SPECIFICATION, ConfigError, Settings, gone, load_registry
from service.run.connections import TIMEOUTS_S
from service.run.transport import LEAST_RATE
from tests.support.for_each import for_each
from tests.support.registry import GAMES

NAMED = "where the games are, by name, as package.module:NAME"

KEY, OTHER_KEY = "0f" * 32, "f0" * 32
ORIGINS = "*, off, or origins such as https://cards.example,http://localhost:5173"
INNER = (
    "the addresses or networks of inner receivers alone, each with ports or without, such as "
    "10.0.0.7,10.1.0.0/16:8080,[fd00::/8]:8000-8999"
)
PROXIES = "the addresses or networks of your proxies alone, such as 10.0.0.7,10.1.0.0/16"


def test_without_variables_everything_is_embedded_and_local() -> None:
    assert structs.asdict(Settings.load({"HOME": "/", "PORT": "1"})) == {
        "role": "all",
        "host": "127.0.0.1",
        "port": 8000,
        "metrics_host": "127.0.0.1",
        "metrics_port": None,
        "database_url": None,
        "database_direct_url": None,
        "database_owner_url": None,
        "standby_url": None,
        "redis_url": None,
        "data_dir": Path(".codille"),
        "workers": 1,
        "log_format": None,
        "log_level": "info",
        "registration": "open",
        "rate_limit": 60_000,
        "registrations_per_hour": 120,
        "tables_per_hour": 60,
        "seats_per_hour": 240,
        "bots_per_hour": 60,
        "disputes_per_hour": 60,
        "reports_per_hour": 20,
        "max_connections": 2000,
        "max_connections_per_address": 200,
        "max_streams_per_player": 64,
        "trusted_proxies": (),
        "webhook_networks": (),
        "cors_origins": ("*",),
        "public_url": None,
        "dispute_days": 30,
        "signing_key": None,
        "bot_processes": None,
        "bot_pause_ms": 600,
        "bot_secret": None,
        "dumps_dir": None,
        "dump_licence": None,
        "registry": "domain.registry:GAMES",
        "spec_dir": SPECIFICATION,
    }


@for_each(
    "variable, text, value",
    [
        ("HOST", "0.0.0.0", "0.0.0.0"),
        ("HOST", "::1", "::1"),
        ("PORT", "0", 0),
        ("PORT", " 65535 ", 65535),
        ("DATABASE_URL", "postgresql://codille@db/codille", "postgresql://codille@db/codille"),
        ("DATABASE_URL", "postgres://codille@db/codille", "postgres://codille@db/codille"),
        ("DATABASE_URL", "postgresql:///codille?host=/run/postgresql", "postgresql:///codille?host=/run/postgresql"),
        ("DATABASE_OWNER_URL", "postgresql://owner@db/codille", "postgresql://owner@db/codille"),
        ("REDIS_URL", "redis://cache:6379/1", "redis://cache:6379/1"),
        ("REDIS_URL", "rediss://cache", "rediss://cache"),
        ("REDIS_URL", "redis+sentinel://:pw@a:26379,b/codille/1", "redis+sentinel://:pw@a:26379,b/codille/1"),
        ("REDIS_URL", "redis+cluster://:pw@a:6379,b", "redis+cluster://:pw@a:6379,b"),
        ("REDIS_URL", "redis+cluster://a,[::1]:6379", "redis+cluster://a,[::1]:6379"),
        ("DATABASE_URL", "postgresql://u:p@a:1,[::1]:2/c", "postgresql://u:p@a:1,[::1]:2/c"),
        ("REDIS_URL", "unix:///run/redis/redis.sock?db=1", "unix:///run/redis/redis.sock?db=1"),
        ("DATA_DIR", "/var/lib/codille", Path("/var/lib/codille")),
        ("WORKERS", "4", 4),
        ("LOG_FORMAT", "json", "json"),
        ("LOG_FORMAT", "console", "console"),
        ("LOG_LEVEL", "debug", "debug"),
        ("METRICS_HOST", "10.0.0.7", "10.0.0.7"),
        ("METRICS_PORT", "9464", 9464),
        ("REGISTRATION", "closed", "closed"),
        ("RATE_LIMIT", "off", None),
        ("RATE_LIMIT", "60", 60),
        ("REGISTRATIONS_PER_HOUR", "off", None),
        ("TABLES_PER_HOUR", "5", 5),
        ("MAX_CONNECTIONS", "100000", 100_000),
        ("MAX_CONNECTIONS_PER_ADDRESS", "8", 8),
        ("TRUSTED_PROXIES", "10.0.0.7", ("10.0.0.7/32",)),
        ("TRUSTED_PROXIES", "10.1.0.0/16, 2001:db8::/48", ("10.1.0.0/16", "2001:db8::/48")),
        ("WEBHOOK_NETWORKS", "10.0.0.7", ("10.0.0.7/32",)),
        ("WEBHOOK_NETWORKS", "10.1.0.0/16:8080, fd00::/8", ("10.1.0.0/16:8080", "fd00::/8")),
        ("WEBHOOK_NETWORKS", "[fd00::/8]:8000-8999,[::1],::1", ("[fd00::/8]:8000-8999", "::1/128", "::1/128")),
        ("WEBHOOK_NETWORKS", "127.0.0.0/8:1-65535", ("127.0.0.0/8:1-65535",)),
        ("CORS_ORIGINS", "*", ("*",)),
        ("CORS_ORIGINS", "off", ()),
        ("CORS_ORIGINS", "https://cards.example", ("https://cards.example",)),
        ("CORS_ORIGINS", "http://localhost:5173, http://[::1]:80", ("http://localhost:5173", "http://[::1]:80")),
        ("SIGNING_KEY", KEY, bytes.fromhex(KEY)),
        ("ROLE", "bots", "bots"),
        ("BOT_PROCESSES", "0", 0),
        ("BOT_PROCESSES", "64", 64),
        ("BOT_PAUSE_MS", "0", 0),
        ("BOT_SECRET", KEY, bytes.fromhex(KEY)),
        ("REGISTRY", "tests.support.registry:GAMES", "tests.support.registry:GAMES"),
        ("SPEC_DIR", "/srv/spec", Path("/srv/spec")),
        ("DUMPS_DIR", "/srv/dumps", Path("/srv/dumps")),
        ("DUMP_LICENCE", "CC0-1.0", "CC0-1.0"),
        ("PORT", "", 8000),
        ("DATABASE_URL", "  ", None),
        ("RATE_LIMIT", "", 60_000),
    ],
)
def test_a_variable_sets_its_field(variable: str, text: str, value: object) -> None:
    needed = {}
    if variable in ("DATABASE_OWNER_URL", "ROLE"):
        needed = {"CODILLE_DATABASE_URL": "postgresql://codille@db/codille", "CODILLE_REDIS_URL": "redis://cache"}
    assert getattr(Settings.load(needed | {f"CODILLE_{variable}": text}), variable.lower()) == value


@for_each(
    "given, port",
    [
        ({}, 9000),
        ({"PORT": "80"}, 1080),
        ({"PORT": "0"}, 0),
        ({"PORT": "65000"}, 0),
        ({"PORT": "80", "METRICS_PORT": "0"}, 0),
        ({"PORT": "80", "METRICS_PORT": "9464"}, 9464),
    ],
)
def test_metrics_have_a_port_of_their_own(given: dict[str, str], port: int) -> None:
    assert Settings.load({f"CODILLE_{name}": text for name, text in given.items()}).port_of_metrics() == port


@for_each(
    "variable, text, expected",
    [
        ("PORT", "http", "a whole number from 0 to 65535, not 'http'"),
        ("PORT", "65536", "a whole number from 0 to 65535, not '65536'"),
        ("MAX_CONNECTIONS", "0", "a whole number from 1 to 1000000, not '0'"),
        ("BOT_PAUSE_MS", "0.5", "a whole number from 0 to 60000, not '0.5'"),
        ("PORT", "-1", "a whole number from 0 to 65535, not '-1'"),
        ("PORT", "8_000", "a whole number from 0 to 65535, not '8_000'"),
        ("PORT", "٨", "a whole number from 0 to 65535, not '٨'"),
        ("PORT", "8000.0", "a whole number from 0 to 65535, not '8000.0'"),
        ("PORT", "9" * 5000, "a whole number from 0 to 65535"),
        ("WORKERS", "0", "a whole number from 1 to 64, not '0'"),
        ("REGISTRY", "domain.registry", f"{NAMED}, not 'domain.registry'"),
        (
            "REGISTRY",
            "domain..registry:X",
            f"{NAMED}, not 'domain..registry:X'",
        ),
        (
            "REGISTRY",
            "domain.registry:",
            f"{NAMED}, not 'domain.registry:'",
        ),
        ("ROLE", "worker", "one of all, api, projector, webhooks, bots, not 'worker'"),
        ("LOG_FORMAT", "JSON", "one of console, json, not 'JSON'"),
        ("LOG_LEVEL", "all", "one of debug, info, warning, not 'all'"),
        ("METRICS_PORT", "off", "a whole number from 0 to 65535, not 'off'"),
        ("REGISTRATION", "yes", "one of open, closed, not 'yes'"),
        ("RATE_LIMIT", "none", "off, or the cost a minute: a whole number from 1 to 1000000, not 'none'"),
        ("RATE_LIMIT", "0", "off, or the cost a minute: a whole number from 1 to 1000000, not '0'"),
        ("SEATS_PER_HOUR", "-1", "off, or the seats an hour: a whole number from 1 to 1000000, not '-1'"),
        ("TRUSTED_PROXIES", "*", PROXIES + ", not '*'"),
        ("TRUSTED_PROXIES", "0.0.0.0/0", PROXIES),
        ("TRUSTED_PROXIES", "10.0.0.7/8", PROXIES),
        ("TRUSTED_PROXIES", "10.0.0.7,", PROXIES),
        ("TRUSTED_PROXIES", "nginx", PROXIES),
        ("WEBHOOK_NETWORKS", "*", INNER + ", not '*'"),
        ("WEBHOOK_NETWORKS", "0.0.0.0/0:80", INNER),
        ("WEBHOOK_NETWORKS", "::/0", INNER),
        ("WEBHOOK_NETWORKS", "10.0.0.7:0", INNER),
        ("WEBHOOK_NETWORKS", "10.0.0.7:65536", INNER),
        ("WEBHOOK_NETWORKS", "10.0.0.7:9000-8000", INNER),
        ("WEBHOOK_NETWORKS", "10.0.0.7:", INNER),
        ("WEBHOOK_NETWORKS", "hooks.internal:80", INNER),
        ("CORS_ORIGINS", "cards.example", ORIGINS + ", not 'cards.example'"),
        ("CORS_ORIGINS", "https://cards.example/", ORIGINS),
        ("CORS_ORIGINS", "https://*.example", ORIGINS),
        ("CORS_ORIGINS", "https://cards.example,*", ORIGINS),
        ("CORS_ORIGINS", "null", ORIGINS),
        ("DATABASE_URL", "mysql://db", "a URL that begins with postgresql:// or postgres://"),
        ("DATABASE_URL", "postgresql:db", "a URL that begins with postgresql:// or postgres://"),
        ("DATABASE_URL", "localhost", "a URL that begins with postgresql:// or postgres://"),
        ("DATABASE_URL", "postgresql://db/codille?pgbouncer=yes", "a URL whose parameter pgbouncer is true or false"),
        ("DATABASE_OWNER_URL", "owner@db", "a URL that begins with postgresql:// or postgres://"),
        ("REDIS_URL", "cache:6379", "a URL that begins with redis:// or rediss:// or unix:// or redis+sentinel://"),
        ("REDIS_URL", "redis+sentinel://a:26379,b/", "a URL that ends with the name that the Sentinels watch"),
        ("REDIS_URL", "redis+cluster://a:6379,b/1", "a URL without a database, of which a Cluster has one"),
        ("REDIS_URL", "http://[", "a URL that begins with redis:// or rediss:// or unix:// or redis+sentinel://"),
        ("BOT_PROCESSES", "65", "a whole number from 0 to 64, not '65'"),
        ("BOT_PAUSE_MS", "60001", "a whole number from 0 to 60000, not '60001'"),
        ("BOT_SECRET", KEY[1:], "32 random bytes as 64 hexadecimal digits"),
        ("SIGNING_KEY", KEY[1:], "the 32 bytes of an Ed25519 private key as 64 hexadecimal digits"),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_expected(variable: str, text: str, expected: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Settings.load({f"CODILLE_{variable}": text})
    assert str(refused.value).startswith(f"CODILLE_{variable} must be {expected}")


@pytest.mark.parametrize(
    "variable",
    ["DATABASE_URL", "DATABASE_DIRECT_URL", "STANDBY_URL", "REDIS_URL", "SIGNING_KEY", "BOT_SECRET"],
)
def test_a_wrong_secret_is_not_repeated(variable: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Settings.load({f"CODILLE_{variable}": "hunter2"})
    assert "hunter2" not in str(refused.value)


@for_each("variable, scheme", [("DATABASE_URL", "postgresql"), ("STANDBY_URL", "postgresql"), ("REDIS_URL", "redis")])
@for_each("password", ["hunter/2", "hunter?2", "hunter#2", "12/34", "12?34", "12#34", "12@34/5"])
def test_a_password_that_ends_its_address_early_is_refused_and_not_repeated(
    variable: str, scheme: str, password: str
) -> None:
    with pytest.raises(ConfigError, match="in user and password as %2F %23 %3F %40") as refused:
        Settings.load({f"CODILLE_{variable}": f"{scheme}://user:{password}@db/0"})
    assert not {"hunter", "12", "34"} & set(re.split(r"\W", str(refused.value)))
    quoted = {
        "CODILLE_DATABASE_URL": "postgresql://db/0",
        f"CODILLE_{variable}": f"{scheme}://user:{quote(password, '')}@db/0",
    }
    Settings.load(quoted)


@pytest.mark.parametrize(
    ("variable", "hint"),
    [
        ("CODILLE_PROT", "did you mean CODILLE_PORT"),
        ("CODILLE_DATABASE", "CODILLE_DATABASE_URL"),
        ("CODILLE_port", "CODILLE_PORT"),
        ("CODILLE_XYZ", "there are CODILLE_ROLE, CODILLE_HOST, CODILLE_PORT"),
    ],
)
def test_an_unknown_variable_is_refused_with_names_near_it(variable: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=f"{variable} is not a setting.*{hint}"):
        Settings.load({variable: "1"})


def test_a_variable_that_went_is_accepted_with_a_warning_that_says_what_holds() -> None:
    given = {f"CODILLE_{name}": "any" for name in GONE}
    assert Settings.load(given) == Settings()
    assert gone(given | {"CODILLE_WRITE_TIMEOUT_S": " ", "CODILLE_PORT": "1"}) == [
        "CODILLE_MAX_STREAMS_PER_ADDRESS is not a setting any more: CODILLE_MAX_CONNECTIONS_PER_ADDRESS limits the "
        "streams of an address too",
        "CODILLE_IDLE_TIMEOUT_S is not a setting any more: a connection may stay open for 20 seconds without a request",
        "CODILLE_HEAD_TIMEOUT_S is not a setting any more: a request's head may take 10 seconds to arrive",
        "CODILLE_BODY_TIMEOUT_S is not a setting any more: a request's body may take 20 seconds to arrive",
    ]
    stated = {name: int(number) for name, text in GONE.items() for number in re.findall(r"(\d+) seconds", text)}
    assert stated == {f"{part.upper()}_TIMEOUT_S": seconds for part, seconds in TIMEOUTS_S.items()}
    assert f"{LEAST_RATE // 1024} KiB a second" in GONE["WRITE_TIMEOUT_S"]


@pytest.mark.parametrize("role", ["api", "projector", "bots"])
@pytest.mark.parametrize("missing", ["CODILLE_DATABASE_URL", "CODILLE_REDIS_URL"])
def test_a_part_of_the_service_needs_the_servers_it_shares(role: str, missing: str) -> None:
    given = {
        "CODILLE_ROLE": role,
        "CODILLE_DATABASE_URL": "postgresql://db/codille",
        "CODILLE_REDIS_URL": "redis://cache",
    }
    assert Settings.load(given).role == role
    del given[missing]
    with pytest.raises(ConfigError, match=f"{missing} is needed with CODILLE_ROLE={role}"):
        Settings.load(given)


def test_a_part_that_plays_for_bots_has_a_process() -> None:
    given = {"DATABASE_URL": "postgresql://db/codille", "REDIS_URL": "redis://cache", "ROLE": "bots"}
    shared = {f"CODILLE_{name}": text for name, text in given.items()}
    assert Settings.load(shared).processes_for_bots >= 1
    assert Settings.load(shared | {"CODILLE_BOT_PROCESSES": "3"}).processes_for_bots == 3
    with pytest.raises(ConfigError, match="CODILLE_BOT_PROCESSES must be 1 or more with CODILLE_ROLE=bots"):
        Settings.load(shared | {"CODILLE_BOT_PROCESSES": "0"})
    assert Settings.load({"CODILLE_BOT_PROCESSES": "0"}).processes_for_bots == 0


def test_an_owners_address_needs_another_for_the_service() -> None:
    with pytest.raises(ConfigError, match="CODILLE_DATABASE_URL is needed with CODILLE_DATABASE_OWNER_URL"):
        Settings.load({"CODILLE_DATABASE_OWNER_URL": "postgresql://owner@db/codille"})


def test_an_address_through_pgbouncer_needs_one_of_postgres_itself() -> None:
    pooled, direct = "postgresql://codille@pool/codille?pgbouncer=true", "postgresql://codille:hunter2@db/codille"
    with pytest.raises(ConfigError, match="CODILLE_DATABASE_DIRECT_URL is needed with pgbouncer=true"):
        Settings.load({"CODILLE_DATABASE_URL": pooled})
    given = {"CODILLE_DATABASE_URL": pooled, "CODILLE_DATABASE_DIRECT_URL": direct, "CODILLE_STANDBY_URL": pooled}
    assert "hunter2" not in repr(Settings.load(given))
    for name in ("CODILLE_DATABASE_DIRECT_URL", "CODILLE_DATABASE_OWNER_URL"):
        with pytest.raises(ConfigError, match=f"{name} must lead to Postgres itself"):
            Settings.load(given | {name: pooled})
    with pytest.raises(ConfigError, match="CODILLE_DATABASE_URL is needed with CODILLE_DATABASE_DIRECT_URL"):
        Settings.load({"CODILLE_DATABASE_DIRECT_URL": direct})
    assert Settings.load({"CODILLE_DATABASE_URL": pooled.replace("true", "false")}).database_direct_url is None


def test_printed_settings_hide_the_key_and_passwords() -> None:
    settings = Settings.load(
        {
            "CODILLE_DATABASE_URL": "postgresql://codille:hunter2@db/codille",
            "CODILLE_REDIS_URL": "redis://:hunter3@cache",
            "CODILLE_SIGNING_KEY": KEY,
            "CODILLE_BOT_SECRET": OTHER_KEY,
        }
    )
    printed = repr(settings)
    assert "postgresql://codille:…@db/codille" in printed
    keys = [form for key in (KEY, OTHER_KEY) for form in (key, repr(bytes.fromhex(key)))]
    assert not [secret for secret in ("hunter2", "hunter3", *keys) if secret in printed]


def test_the_registry_is_loaded_by_its_name() -> None:
    assert load_registry(Settings().registry) is OFFERED
    assert load_registry("tests.support.registry:GAMES") is GAMES


@for_each(
    "name, reason",
    [
        ("domain.registrar:GAMES", "must be where the games are, by name, as package.module:NAME, not '{}': No module"),
        ("domain.registry:PLAYS", "must be where the games are, by name, as package.module:NAME, not '{}': no games"),
        ("domain.registry:CROCODILE", "not '{}': no games are there"),
        ("service.config:_PARSERS", "is '{}', where 'ROLE' is no game of this name"),
        ("tests.unit.config.registries:MISNAMED", "is '{}', where 'whist' is no game of this name"),
        ("tests.unit.config.registries:EMPTY", "not '{}': no games are there"),
    ],
)
def test_a_wrong_registry_is_named_with_what_is_wrong(name: str, reason: str) -> None:
    with pytest.raises(ConfigError) as wrong:
        load_registry(name)
    assert str(wrong.value).startswith("CODILLE_REGISTRY ")
    assert reason.format(name) in str(wrong.value)


def test_a_specification_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert Settings().documents() == (SPECIFICATION / "openapi.json", SPECIFICATION / "asyncapi.json")
    for name in ("openapi.json", "asyncapi.json"):
        with pytest.raises(ConfigError, match=f"CODILLE_SPEC_DIR must be a folder with {name}"):
            Settings(spec_dir=tmp_path).documents()
        (tmp_path / name).write_text("{}")
    assert Settings(spec_dir=tmp_path).documents() == (tmp_path / "openapi.json", tmp_path / "asyncapi.json")


def test_a_standby_is_one_server_beside_a_primary() -> None:
    standby = "postgresql://u:p,w@b/codille"
    assert Settings.load({"CODILLE_DATABASE_URL": "postgresql://u@a/c", "CODILLE_STANDBY_URL": standby}).standby_url
    with pytest.raises(ConfigError, match="CODILLE_DATABASE_URL is needed with CODILLE_STANDBY_URL"):
        Settings.load({"CODILLE_STANDBY_URL": standby})
    with pytest.raises(ConfigError, match="CODILLE_STANDBY_URL must name one host"):
        Settings.load({"CODILLE_DATABASE_URL": "postgresql://u@a/c", "CODILLE_STANDBY_URL": "postgresql://u@a,b/c"})
