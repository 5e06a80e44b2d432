"""Declares an operation of the interface in one place: path, parameters, guards, problems, links, examples, texts."""

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_type_hints

from litestar import delete, get, patch, post
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import HTTPScope
from msgspec import Struct, structs

from service.auth.scopes import Needed
from service.http.charges import Charge
from service.http.content_negotiation import JSON
from service.http.examples import Sample
from service.http.guards import Guard, authenticated, table_exists
from service.http.parameters import INVITE, PATH
from service.http.query import QueryForm, query_forms
from service.http.request import SUFFIX, RoutedRequest
from service.limits.quotas import Recorded
from service.observability.stream_metrics import StreamKind

Method: TypeAlias = Literal["GET", "POST", "PATCH", "DELETE"]
Link: TypeAlias = tuple[str, str, dict[str, str]]
"""A link's name, the operation it leads to, and runtime expressions (OpenAPI) for that operation's parameters."""

Handler: TypeAlias = Callable[..., Awaitable[Any]]
"""A function of a prepared request and the operation's own parameters, which returns a `Response`."""

_ROUTES: Mapping[Method, Any] = {"GET": get, "POST": post, "PATCH": patch, "DELETE": delete}


class Operation(Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """The declaration of an operation."""

    method: Method
    path: str
    """In Litestar's form: `/v1/tables/{table:uuid}`. Its parameters are declared in `parameters.PATH`."""
    id: str
    """The name of its function, in the case of JavaScript: `get_table` is `getTable`."""
    function: Handler
    hints: Mapping[str, Any]
    """The types of its parameters of path and query by name, and under `return` that of its response."""
    tag: str
    summary: str
    description: str
    answers: str
    """What a successful response contains, in a sentence."""
    status: int = 200
    guards: tuple[Guard, ...] = ()
    """In order; the first that raises decides the response."""
    client_scope: Needed | None = None
    """What it needs of a client's token; None refuses such a token."""
    headers: tuple[str, ...] = ()
    """The headers that it reads: `If-Match`, `If-None-Match`, `Idempotency-Key`, `Last-Event-ID`."""
    body: Any = None
    """The type of its body; None without one. Any: an action of the table's game, under the table's rules."""
    takes: str | None = None
    """The media type of the file that is its body, which it reads by itself; None without one."""
    media_types: tuple[str, ...] = (JSON,)
    """The media types it can respond in, the default first."""
    problems: tuple[str, ...] = ()
    """Its own problem codes, beside those that follow from its path, headers, body and guards."""
    links: tuple[Link, ...] = ()
    requests: Callable[[Sample], Mapping[str, Any]] | None = None
    """Examples of its body by name, from a played game."""
    example: Callable[[Sample], Any] | None = None
    """An example of a successful response."""
    other_examples: Mapping[str, tuple[str, Callable[[Sample], str]]] = {}
    """For each other media type, a description of its content and an example."""
    line: str | None = None
    """The component that describes each line of its response, where that is lines of JSON and no stream."""
    open_query: str | None = None
    """The parameter with which the query may also have fields of an act, which the operation checks itself."""
    lenient: bool = False
    """Whether any query and any Accept header is accepted."""
    by_game: bool = False
    """Whether examples are shown for every game; otherwise the first game's are enough."""
    answer_headers: tuple[str, ...] = ()
    """The headers of a successful response, beside those that follow from its path and status."""
    cost: int = 1
    """Its cost in the rate limit: tenths of a millisecond of one core's time, as measured, rounded up."""
    kept_cost: int | None = None
    """The part of `cost` that is always charged, where results are cached. The rest is returned if it is not used."""
    records: Recorded | None = None
    """What it records permanently, with a quota of its own; None if only the cost limits it."""
    stream: StreamKind | None = None
    """The kind of stream in its response, if that continues until the client leaves."""
    fast: bool = False
    """Whether plain requests skip Litestar's routing; see `short_way`."""

    @property
    def route(self) -> str:
        """The path as it is routed: the edge splits a suffix off, since parameters fill whole segments."""
        return self.path.removesuffix(SUFFIX) + f"/{SUFFIX}" if self.path.endswith(SUFFIX) else self.path

    @cached_property
    def query(self) -> Mapping[str, QueryForm]:
        """What its query may have, by name."""
        return query_forms(self.hints)

    @property
    def charge(self) -> Charge:
        """What each of its requests uses."""
        return Charge(self.cost, self.kept_cost, self.records)

    @property
    def body_required(self) -> bool:
        """Whether the body may not be left out: false if all its fields have defaults. An action is always required."""
        return self.body is Any or any(field.required for field in structs.fields(self.body))

    @property
    def tagged_by_version(self) -> bool:
        """Whether its entity tags are versions of a table."""
        return self.path.startswith("/v1/tables/") and self.stream is None

    @property
    def needs_token(self) -> bool:
        """Whether it requires a token."""
        return authenticated in self.guards


READS_TABLE: Mapping[str, Any] = {
    "guards": (table_exists,),
    "client_scope": "read",
    "headers": ("If-None-Match",),
}
"""What most operations declare that read a table."""


def operation(method: Method, path: str, **declared: Any) -> Callable[[Handler], HTTPRouteHandler]:
    """Makes a function of a prepared request an operation's handler; `declared` are the other fields of `Operation`.

    The function's other parameters are the operation's own parameters of path and query, declared as Litestar expects.
    """

    def decorate(function: Handler) -> HTTPRouteHandler:
        first, *others = function.__name__.split("_")
        name = first + "".join(map(str.capitalize, others))
        made = Operation(method=method, path=path, id=name, function=function, hints=_hints(path, function), **declared)
        handler: HTTPRouteHandler = _ROUTES[method](
            made.route,
            operation_id=made.id,
            summary=made.summary,
            description=made.description,
            tags=[made.tag],
            status_code=made.status,
            media_type=made.media_types[0],
            opt={"operation": made},
        )(_for_litestar(made))
        return handler

    return decorate


def operation_of(handler: Any) -> Operation | None:
    """The handler's declaration; None if it is not an operation of the interface."""
    declared: Operation | None = handler.opt.get("operation")
    return declared


def declared_operations(handlers: Iterable[HTTPRouteHandler]) -> list[Operation]:
    """The declarations of the handlers that are operations of the interface."""
    return [declared for handler in handlers if (declared := operation_of(handler)) is not None]


def allowed_methods(scope: HTTPScope, template: str, named: bytes) -> bytes:
    """The methods of the path: every GET route answers HEAD, and OPTIONS names those of all the path's handlers."""
    methods = {method.strip() for method in named.decode().split(",")}
    if scope["method"] == "OPTIONS":
        # Litestar names only those of the handler that was registered first.
        methods |= {
            method
            for route in scope["litestar_app"].routes
            if re.sub(r":\w+}", "}", route.path) == template and isinstance(route, HTTPRoute)
            for method in route.methods
        }
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods)).encode()


def _hints(path: str, function: Handler) -> dict[str, Any]:
    """The types of all parameters of path and query, and of the response. The path's own are declared in `PATH`."""
    given = get_type_hints(function, include_extras=True)
    answer = {"return": given.pop("return")}
    of_path = {name: kind for name, kind in PATH.items() if f"{{{name}:" in path}
    own = {name: kind for name, kind in list(given.items())[1:] if name not in of_path}
    invite = {"invite": INVITE} if path.startswith("/v1/tables/{") else {}
    return of_path | own | invite | answer


def _for_litestar(declared: Operation) -> Handler:
    """The function with the operation's parameters of path and query in its signature, for Litestar's routing and
    documents. The edge reads headers and body.
    """
    function = declared.function
    own = list(inspect.signature(function).parameters.values())[1:]

    async def handle(request: RoutedRequest, **arguments: Any) -> Any:
        return await function(request.prepared, **{one.name: arguments[one.name] for one in own})

    annotations = {"request": RoutedRequest, **declared.hints}
    answer = annotations.pop("return")
    defaults = {one.name: one.default for one in own} | {"invite": None}
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter(name, keyword, annotation=kind, default=defaults.get(name, inspect.Parameter.empty))
        for name, kind in annotations.items()
    ]
    handle.__name__ = handle.__qualname__ = function.__name__
    handle.__module__ = function.__module__
    handle.__doc__ = function.__doc__
    handle.__annotations__ = annotations | {"return": answer}
    handle.__signature__ = inspect.Signature(parameters, return_annotation=answer)  # type: ignore[attr-defined]
    return handle
