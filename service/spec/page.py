"""The documentation page: the OpenAPI document as one page of HTML that needs no script and nothing from elsewhere."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from http import HTTPStatus
from typing import Any

Json = Any
"""Any part of the document."""

COMPONENTS = "#/components/schemas/"
SHOWN_VALUES = 14
"""Of a long list of values so many are shown; the schema's own entry has all."""


def page(document: Mapping[str, Json]) -> str:
    """The page of this document."""
    info = document["info"]
    operations = _by_tag(document)
    schemas: Mapping[str, Json] = document["components"]["schemas"]
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{escape(info['title'])}: the interface</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n",
            _navigation(info, operations),
            "<main>\n",
            f'<header id="top"><h1>{escape(info["title"])}</h1><p class="lead">{escape(info["summary"])}, '
            f"version {escape(info['version'])}. The same as "
            '<a href="/v1/openapi.json">OpenAPI 3.1</a>.</p>',
            _prose(info["description"]),
            "</header>\n",
            *(_tag(tag, own) for tag, own in operations),
            '<section id="schemas"><h2>Schemas</h2>',
            *(_schema(name, schema) for name, schema in schemas.items()),
            "</section>\n</main>\n</body>\n</html>\n",
        )
    )


Operation = tuple[str, str, Mapping[str, Json]]
"""Method, path and the operation."""


def _by_tag(document: Mapping[str, Json]) -> list[tuple[Mapping[str, str], list[Operation]]]:
    everything = [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return [
        (tag, [found for found in everything if tag["name"] in found[2]["tags"]])
        for tag in document["tags"]
        if any(tag["name"] in found[2]["tags"] for found in everything)
    ]


def _navigation(info: Mapping[str, str], operations: Sequence[tuple[Mapping[str, str], list[Operation]]]) -> str:
    parts = [f'<nav><a class="home" href="#top">{escape(info["title"])}</a>']
    for tag, own in operations:
        parts.append(f"<h2>{escape(tag['name'])}</h2><ul>")
        parts.extend(
            f'<li><a href="#{operation["operationId"]}"><b class="{method}">{method}</b>'
            f"{escape(operation['summary'])}</a></li>"
            for method, _, operation in own
        )
        parts.append("</ul>")
    return "".join((*parts, '<h2><a href="#schemas">Schemas</a></h2></nav>\n'))


def _tag(tag: Mapping[str, str], operations: Sequence[Operation]) -> str:
    articles = "".join(_operation(*operation) for operation in operations)
    return f"<section><h2>{escape(tag['name'])}</h2><p>{escape(tag['description'])}</p>{articles}</section>\n"


def _operation(method: str, path: str, operation: Mapping[str, Json]) -> str:
    name = operation["operationId"]
    shown_path = re.sub(r"(\{[^}]*\})", r"<i>\1</i>", escape(path))
    parts = [
        f'<article id="{name}"><h3><b class="{method}">{method}</b><code>{shown_path}</code></h3>',
        f'<p class="summary">{escape(operation["summary"])}<a class="anchor" href="#{name}">{name}</a></p>',
        _prose(operation["description"]),
        _security(operation["security"]),
        _parameters(operation.get("parameters", ())),
        _body(operation),
        _code(_curl(method, path, operation)),
        *(_answer(status, answer) for status, answer in operation["responses"].items()),
        "</article>\n",
    ]
    return "".join(parts)


def _security(security: Sequence[Mapping[str, Json]]) -> str:
    if not security:
        return ""
    return '<p class="note">A token may be sent.</p>' if {} in security else '<p class="note">Needs a token.</p>'


def _parameters(parameters: Sequence[Mapping[str, Json]]) -> str:
    rows = [
        (
            f"<code>{escape(parameter['name'])}</code>{'' if parameter['required'] else ' <small>optional</small>'}",
            f"{escape(parameter['in'])}, {_type(parameter['schema'])}",
            _inline(parameter["description"]),
        )
        for parameter in parameters
    ]
    return _table("Parameters", rows)


def _body(operation: Mapping[str, Json]) -> str:
    if "requestBody" not in operation:
        return ""
    parts = []
    for media_type, content in operation["requestBody"]["content"].items():
        parts.append(f"<h4>Body</h4><p>{escape(media_type)}: {_type(content['schema'])}</p>")
        parts.extend(_examples(content))
    return "".join(parts)


def _answer(status: str, answer: Mapping[str, Json]) -> str:
    kind = "good" if status < "400" else "bad"
    contents = answer.get("content", {})
    schemas = ", ".join(f"{escape(media)}: {_type(content['schema'])}" for media, content in contents.items())
    headers = ", ".join(f"<code>{escape(name)}</code>" for name in answer.get("headers", {}))
    links = ", ".join(
        f'<a href="#{link["operationId"]}">{escape(name)}</a>' for name, link in answer.get("links", {}).items()
    )
    return "".join(
        (
            f'<details class="{kind}"><summary><b>{status}</b> {escape(HTTPStatus(int(status)).phrase)} '
            f"<small>{_inline(answer['description'])}</small></summary>",
            f"<p>{schemas}</p>" if schemas else "",
            f"<p>Headers: {headers}</p>" if headers else "",
            f"<p>From here: {links}</p>" if links else "",
            *(part for content in contents.values() for part in _examples(content)),
            "</details>",
        )
    )


def _examples(content: Mapping[str, Json]) -> Iterator[str]:
    if "example" in content:
        yield _code(_text(content["example"]))
    for name, example in content.get("examples", {}).items():
        yield f"<details><summary><small>{escape(name)}</small></summary>{_code(_text(example['value']))}</details>"


def _curl(method: str, path: str, operation: Mapping[str, Json]) -> str:
    """A command line that does it."""
    query = []
    for parameter in operation.get("parameters", ()):
        example = parameter["example"]
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", str(example))
        elif parameter["in"] == "query" and parameter["required"]:
            query += [f"{parameter['name']}={value}" for value in (example if isinstance(example, list) else [example])]
    address = f"http://127.0.0.1:8000{path}" + (f"?{'&'.join(query)}" if query else "")
    parts = ["curl", *([] if method == "get" else ["-X", method.upper()]), shlex.quote(address)]
    line = " ".join(parts)
    if operation["security"] and {} not in operation["security"]:
        line += " \\\n  -H 'Authorization: Bearer '\"$TOKEN\""
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        first = next(iter(content["examples"].values()))["value"]
        line += f" \\\n  --json {shlex.quote(json.dumps(first, ensure_ascii=False))}"
    return line


def _schema(name: str, schema: Mapping[str, Json]) -> str:
    required = schema.get("required", ())
    rows = [
        (
            f"<code>{escape(key)}</code>{'' if key in required else ' <small>optional</small>'}",
            _type(value),
            _inline(value.get("description", "")),
        )
        for key, value in schema.get("properties", {}).items()
    ]
    alternatives = schema.get("oneOf") or schema.get("anyOf")
    return "".join(
        (
            f'<article class="schema" id="schema-{name}"><h3>{escape(name)}</h3>',
            _prose(schema.get("description", "")),
            f"<p>{_type(schema, whole=True)}</p>" if alternatives or not rows else "",
            _table("", rows),
            *(
                f"<details><summary><small>example</small></summary>{_code(_text(example))}</details>"
                for example in schema.get("examples", ())
            ),
            "</article>\n",
        )
    )


def _type(schema: Mapping[str, Json], *, whole: bool = False) -> str:
    """The type in words, with links."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(COMPONENTS)
        return f'<a href="#schema-{name}">{escape(name)}</a>'
    if alternatives := schema.get("oneOf") or schema.get("anyOf"):
        return " or ".join(_type(alternative) for alternative in alternatives)
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    if "enum" in schema:
        values = schema["enum"] if whole else schema["enum"][:SHOWN_VALUES]
        rest = "" if len(values) == len(schema["enum"]) else ", …"
        return ", ".join(f"<code>{escape(json.dumps(value))}</code>" for value in values) + rest
    match schema.get("type"):
        case "array":
            return "list" if "items" not in schema else f"list of {_type(schema['items'])}"
        case "object":
            others = schema.get("additionalProperties")
            return f"object of {_type(others)}" if isinstance(others, dict) else "object"
        case "string":
            return f"text <small>({escape(schema['format'])})</small>" if "format" in schema else "text"
        case "integer":
            return f"integer{_bounds(schema)}"
        case None:
            return "anything"
        case kind:
            return escape(str(kind))


def _bounds(schema: Mapping[str, Json]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None:
        return ""
    return f" <small>({least} …{'' if most is None else f' {most}'})</small>"


def _table(title: str, rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'{f"<h4>{title}</h4>" if title else ""}<div class="wide"><table>{cells}</table></div>'


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _code(text: str) -> str:
    return f"<pre><code>{escape(text)}</code></pre>"


def _prose(text: str) -> str:
    return "".join(f"<p>{_inline(paragraph)}</p>" for paragraph in text.split("\n\n") if paragraph)


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


_STYLE = """
:root{color-scheme:light dark;--ink:#1d2430;--faint:#5b6675;--paper:#fff;--panel:#f5f6f8;--line:#dfe3e8;--link:#0b57a4;
--get:#0b6e4f;--post:#0b57a4;--delete:#a4262c;--good:#0b6e4f;--bad:#8a5a00}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ee;--faint:#9aa5b4;--paper:#14181e;--panel:#1c222a;--line:#2f3742;
--link:#79b8ff;--get:#56d4a0;--post:#79b8ff;--delete:#ff8a80;--good:#56d4a0;--bad:#e3b341}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;color:var(--ink);background:var(--paper);font:16px/1.55 system-ui,sans-serif;display:grid;
grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.25rem 1rem;background:var(--panel);
border-right:1px solid var(--line);font-size:.875rem}
nav h2{font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--faint);margin:1.1rem 0 .3rem}
nav ul{list-style:none;margin:0;padding:0}nav li a{display:flex;padding:.15rem 0;color:var(--ink)}
nav b{flex:0 0 4.6em;padding-top:.15em}.home{font-weight:700;font-size:1.15rem;color:var(--ink)}
main{max-width:62rem;padding:1.5rem 2.5rem 6rem;min-width:0}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
h1{font-size:2rem;margin:.2rem 0}h2{margin-top:2.5rem}h3{font-size:1.05rem;margin:0 0 .35rem;overflow-wrap:anywhere}
h4{font-size:.8rem;margin:1rem 0 .25rem;color:var(--faint);text-transform:uppercase;letter-spacing:.05em}
.lead{font-size:1.1rem;color:var(--faint)}small{color:var(--faint)}i{font-style:normal;color:var(--faint)}
article{border:1px solid var(--line);border-radius:8px;padding:1rem 1.25rem;margin:1rem 0}
article p{margin:.35rem 0}.summary{font-weight:600}.anchor{font-weight:400;font-size:.8rem;margin-left:.6rem}
.note{font-size:.875rem;color:var(--faint)}
code,pre{font-family:ui-monospace,monospace;font-size:.86em}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.75rem;overflow:auto;
max-height:28rem;margin:.5rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}
td{padding:.3rem .6rem .3rem 0;border-top:1px solid var(--line);vertical-align:top}td:first-child{white-space:nowrap}
details{margin:.3rem 0}summary{cursor:pointer}details details{margin-left:1rem}
nav b,h3 b{display:inline-block;text-transform:uppercase;font-size:.72rem;letter-spacing:.03em}
h3 b{border:1px solid currentColor;border-radius:4px;padding:.05rem .4rem;margin-right:.6rem}
b.get{color:var(--get)}b.post{color:var(--post)}b.delete{color:var(--delete)}
.good>summary b{color:var(--good)}.bad>summary b{color:var(--bad)}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border-right:0}main{padding:1rem}}
"""
