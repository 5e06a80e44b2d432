"""The responses that operations share: those with problem documents, and those without a body."""

from collections.abc import Mapping, Sequence

from service.describe.json_schema import Schema, pascal, ref
from service.http.problems import KINDS, MEDIA_TYPE
from service.spec import operation_problems as problems

DESCRIPTIONS: Mapping[int, str] = {
    400: "The request, a header or the body is malformed.",
    401: "The request has no token, or its token is not valid.",
    403: "The caller may not do this.",
    404: "What the address names does not exist.",
    405: "The method is not allowed here.",
    406: "The response has none of the accepted media types.",
    409: "The current state does not allow the request.",
    412: "The table is at another version.",
    413: "The body is too large.",
    415: "The media type of the body is not supported.",
    422: "A field or parameter is invalid, the key was used with another body, or the rules do not allow it.",
    429: "A quota of the address, of the player or of the table is used up.",
    503: "The service is temporarily unavailable.",
}
"""The descriptions of the responses with a problem document, by status."""

HEADERS: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    415: ("Accept",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}
"""The headers that such a response has beside those of every response, by status."""


class ProblemResponses:
    """Collects the components that the operations of a document refer to.

    They are a response for each set of codes, and one for each kind of entity tag.
    """

    def __init__(self) -> None:
        self.responses: dict[str, Schema] = {}
        self._codes: set[str] = set()

    @property
    def examples(self) -> dict[str, Schema]:
        """An example of each code."""
        return {code: {"value": problems.example(code)} for code in KINDS if code in self._codes}

    def response(self, status: int, codes: Sequence[str], headers: Mapping[str, Schema], *, metered: bool) -> Schema:
        """A reference to the response with these codes and headers; `metered` if it has those of quotas."""
        name = "Or".join(map(pascal, codes)) + ("" if metered else "Unmetered")
        listed = ", ".join(f"`{code}`" for code in codes)
        self._codes.update(codes)
        self.responses[name] = {
            "description": f"{DESCRIPTIONS[status]} Codes: {listed}.",
            "headers": headers,
            "content": {
                MEDIA_TYPE: {
                    "schema": ref("Problem"),
                    "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
                }
            },
        }
        return {"$ref": f"#/components/responses/{name}"}

    def unchanged(self, tag: str, description: str, headers: Mapping[str, Schema], *, metered: bool) -> Schema:
        """A reference to the response without a body that says that what the client has is still the same.

        `tag` is the name of the entity tag's header among the components.
        """
        name = f"Same{tag}" + ("" if metered else "Unmetered")
        self.responses[name] = {"description": description, "headers": headers}
        return {"$ref": f"#/components/responses/{name}"}
