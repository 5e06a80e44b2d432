"""The application: its operations behind the edge, over the given services."""

from functools import cache
from importlib.metadata import version
from typing import Any
from uuid import UUID

from litestar import Litestar
from litestar.connection import Request as LitestarRequest
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from msgspec.structs import replace

from service.http.charges import Tariff
from service.http.edge import Edge, prepared
from service.http.guards import check_client
from service.http.operation import declared_operations, operation_of
from service.http.operations import (
    actions,
    archive,
    audits,
    bots,
    clients,
    disputes,
    dumps,
    events,
    friends,
    games,
    health,
    kits,
    leaving,
    ledgers,
    log,
    oauth,
    pages,
    players,
    record_files,
    reports,
    scores,
    specification,
    streams,
    tables,
    tokens,
    webhooks,
)
from service.http.request import RoutedRequest, keep, request_of
from service.http.responses import response_to
from service.http.short_way import ShortWay
from service.services import Services

VERSION = version("codille")
"""The package's version, which is also that of the interface's document."""

RESOURCES = (
    players, tokens, clients, webhooks, games, bots, tables, friends, leaving, actions, events, audits, disputes,
    archive, reports, record_files, scores, ledgers, streams, log, specification,
)  # fmt: skip
"""The modules that consist of operations, in the order in which the document has them."""

OPERATIONS = (
    *(one for resource in RESOURCES for one in vars(resource).values() if isinstance(one, HTTPRouteHandler)),
    *health.HANDLERS,
)
"""All operations of the interface."""

TARIFF = Tariff(
    (
        *((one.method, one.route, one.charge) for one in declared_operations(OPERATIONS)),
        *oauth.CHARGES,
    )
)


class Application(Litestar):
    """Litestar without its default plugins: they import Pydantic if it is installed, which takes long."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def create_app(services: Services) -> Edge:
    """The interface over these services, as an ASGI application. Raises ConfigError."""
    return Edge(
        _routed((*OPERATIONS, *oauth.HANDLERS, *pages.HANDLERS, *kits.HANDLERS, *dumps.HANDLERS)),
        services,
        origins=services.settings.cors_origins,
        quotas=services.edge.quotas,
        tariff=TARIFF,
        bearers=services.edge.bearers,
        short=ShortWay(declared_operations(OPERATIONS)),
        pages=pages.PATHS,
    )


def create_operations_app(services: Services) -> Edge:
    """Metrics and health of these services, as an ASGI application without limits. Raises ConfigError."""
    return Edge(_routed(health.AT_METRICS_ADDRESS), services, tariff=TARIFF)


@cache
def _routed(handlers: tuple[Any, ...]) -> Litestar:
    """What is behind an edge. Routes are most of its cost, so all edges of a process share it."""
    return Application(
        route_handlers=handlers,
        request_class=RoutedRequest,
        before_request=_prepare,
        exception_handlers={
            Exception: lambda routed, error: response_to(error, routed.scope, request_of(routed.scope).services.logger)
        },
        openapi_config=None,
        logging_config=None,
        debug=False,
        request_max_body_size=None,
    )


async def _prepare(routed: LitestarRequest[Any, Any, Any]) -> None:
    """Prepares a request that Litestar routed, before Litestar reads the operation's own parameters."""
    scope, parameters = routed.scope, routed.path_params
    # Python reads an id in braces too, after `urn:uuid:`, and with hyphens anywhere.
    written = scope["path"].lower().split("/")
    ids = (value for value in parameters.values() if isinstance(value, UUID))
    if not all(str(value) in written or value.hex in written for value in ids):
        raise NotFoundException
    request = replace(
        request_of(scope),
        table=str(parameters.get("table", "")),
        parameters=parameters,
        template=scope["path_template"],
    )
    declared = operation_of(routed.route_handler)
    if declared is None and request.bearer is not None and request.bearer.client is not None:
        check_client(request.bearer, None)
    keep(request if declared is None else await prepared(request, declared), scope)
