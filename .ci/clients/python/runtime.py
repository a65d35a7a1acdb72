"""Client of Torus, a model server for time-series anomaly detection and forecasting."""

from __future__ import annotations

import dataclasses
import email.utils
import http.client
import json
import random
import re
import time
import typing
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, ClassVar, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Type, Union

_RETRIES = 3
_TIMEOUT_S = 60.0
_FIRST_S = 0.25
# A server that asks for more patience gets an error instead.
_MAX_WAIT_S = 30.0
# No answer, and statuses of a server that may answer later.
_PASSING = frozenset((0, 429, 503))
_JSON_TYPE = re.compile(r"application/([\w.+-]+\+)?json\b")

Names = Union[str, Sequence[str]]
"""One name, or several at once."""


class TorusError(Exception):
    """A request that failed. The text is the server's: the problem, the rule and the remedy.

    `code` is one of the server's, or `connection` (there was no whole answer) or `other` (an answer without a code);
    `status` is that of the answer, or 0; `field` is the place of the first invalid field, as `features.0.metric`;
    `problem` is the whole answer.
    """

    def __init__(self, code: str, message: str, status: int, problem: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.problem = problem or {}
        self.field: Optional[str] = self.problem.get("path")


class ConnectionFailed(TorusError):
    """There was no whole answer."""


@dataclass
class Record:
    """An object of the API. A field that is None is not sent; `extra` holds keys that this version does not name."""

    _names: ClassVar[Dict[str, str]] = {}


@dataclass(frozen=True)
class _Operation:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    type: Optional[str]
    repeatable: bool


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: the token is for one server alone."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Transport:
    """Requests: addresses, credentials, retries, answers by content type, and the stream of events."""

    def __init__(
        self, url: str, token: Optional[str] = None, *, timeout: float = _TIMEOUT_S, retries: int = _RETRIES
    ) -> None:
        """`timeout` in seconds without a byte of an answer; `retries` of requests that may be repeated.

        Raises ValueError for an address or a token that cannot be sent.
        """
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or "@" in parts.netloc:
            raise ValueError("url must be http:// or https://, without user and password: give a token")
        # A header with another character is refused with an error that holds it.
        if token is not None and not re.fullmatch(r"[!-~]+", token):
            raise ValueError("token must be of visible ASCII characters")
        self.url = url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._retries = retries
        self._opener = urllib.request.build_opener(_NoRedirect)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def _call(
        self,
        name: str,
        path: Mapping[str, Names],
        body: Any = None,
        *,
        options: Mapping[str, Any] = {},
        accept: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """Sends a request; the answer has the type that the method of this name declares."""
        operation = _OPERATIONS[name]
        request = self._request(operation, path, body, options, {"accept": accept, **(headers or {})})
        answer = self._retry(operation, request, _read)
        return _decode(_hints(getattr(type(self), name))["return"], answer)

    def _events(self, name: str, options: Mapping[str, Any], headers: Optional[Mapping[str, str]]) -> Iterator[Any]:
        """Follows a stream of events, or with `follow=False` reads those missed.

        It comes back after a lost connection with the id of the last event; attempts without an event are counted, and
        bounded as retries.
        """
        operation = _OPERATIONS[name]
        hint = typing.get_args(_hints(getattr(type(self), name))["return"])[0]
        if options.get("follow") is False:
            request = self._request(operation, {}, None, options, headers or {})
            yield from _decode(List[hint], self._retry(operation, request, _read))  # type: ignore[valid-type]
            return
        last_id = options.get("last_event_id")
        attempt = 0
        while True:
            asked = {**options, "last_event_id": last_id}
            request = self._request(operation, {}, None, asked, {"accept": "text/event-stream", **(headers or {})})
            with self._retry(operation, request, lambda response: response) as stream:
                for event_id, event, data in _parse_events(stream):
                    attempt = 0
                    last_id = event_id
                    if event != "end":
                        yield _decode(hint, {"id": event_id, "event": event, "data": json.loads(data)})
            if attempt >= self._retries:
                raise ConnectionFailed("connection", "the stream of events ended", 0)
            time.sleep(_wait(attempt))
            attempt += 1

    def _request(
        self,
        operation: _Operation,
        path: Mapping[str, Names],
        body: Any,
        options: Mapping[str, Any],
        headers: Mapping[str, Optional[str]],
    ) -> urllib.request.Request:
        address = self.url + operation.path
        for name, value in path.items():
            address = address.replace("{" + name + "}", _quote(value))
        query = {operation.query[key]: _text(value) for key, value in _given(options, operation.query)}
        sent = {operation.headers[key]: _text(value) for key, value in _given(options, operation.headers)}
        sent["User-Agent"] = f"torus-client-python/{__version__}"
        sent["Accept"] = "application/json, */*;q=0.5"
        if body is not None and operation.type:
            sent["Content-Type"] = operation.type
        sent.update({name.title(): value for name, value in headers.items() if value is not None})
        if self._token is not None:
            sent["Authorization"] = f"Bearer {self._token}"
        return urllib.request.Request(
            address + ("?" + urllib.parse.urlencode(query) if query else ""),
            data=None if body is None else _body(body, operation.type or ""),
            headers=sent,
            method=operation.method,
        )

    def _retry(self, operation: _Operation, request: urllib.request.Request, read: Callable[[Any], Any]) -> Any:
        attempts = self._retries if operation.repeatable else 0
        attempt = 0
        while True:
            after: Optional[str] = None
            try:
                return read(self._opener.open(request, timeout=self._timeout))
            except urllib.error.HTTPError as error:
                after = error.headers.get("Retry-After")
                with error:
                    failure = _error(error.code, error.read())
            except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
                failure = ConnectionFailed("connection", f"no answer from {self.url}: {error}", 0)
            wait = _wait(attempt, after)
            if attempt >= attempts or failure.status not in _PASSING or wait > _MAX_WAIT_S:
                raise failure
            time.sleep(wait)
            attempt += 1


def pages(method: Callable[..., Sequence[Any]], *args: Any, per_page: int = 100, **options: Any) -> Iterator[List[Any]]:
    """All pages of a list, each read when it is asked for: `pages(torus.list_jobs, state="done")`.

    Entries that come or go meanwhile move others to another page.
    """
    page = 0
    while True:
        entries = method(*args, page=page, per_page=per_page, **options)
        if entries:
            yield list(entries)
        if len(entries) < per_page:
            return
        page += 1


def to_frame(answer: Any) -> Any:
    """A pandas DataFrame of an answer with columns by time: forecasts, predictions, series.

    The index is the time in UTC; a column is named by the keys on the way to it, as `predicted_load`. Raises
    ImportError without pandas, and TypeError for an answer without times.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_frame needs pandas: pip install pandas") from error
    values = to_json(answer)
    times = _times(values)
    columns = dict(_columns("", values, len(times)))
    return pandas.DataFrame(columns, index=pandas.to_datetime(times, unit="s", utc=True))


def _times(values: Any) -> List[float]:
    if isinstance(values, dict):
        if isinstance(values.get("timestamps"), list):
            return values["timestamps"]
        if all(isinstance(values.get(key), (int, float)) for key in ("from", "step", "cells")):
            return [values["from"] + i * values["step"] for i in range(values["cells"])]
    raise TypeError("to_frame needs an answer with times: a forecast, a prediction or the series of one model")


def _columns(name: str, values: Any, length: int) -> Iterator[typing.Tuple[str, List[Any]]]:
    if isinstance(values, dict):
        for key, value in values.items():
            if key != "timestamps":
                yield from _columns(f"{name}_{key}" if name else key, value, length)
    elif isinstance(values, list) and len(values) == length:
        if values and all(isinstance(value, dict) for value in values):
            keys = [key for key, value in values[0].items() if not isinstance(value, (dict, list))]
            for key in keys:
                yield f"{name}_{key}", [value.get(key) for value in values]
        elif not any(isinstance(value, (dict, list)) for value in values):
            yield name, values


def to_json(value: Any) -> Any:
    """The JSON value of records, as it is sent."""
    if isinstance(value, Record):
        named = {
            value._names.get(one.name, one.name): getattr(value, one.name)
            for one in dataclasses.fields(value)
            if one.name != "extra"
        }
        sent = {key: to_json(part) for key, part in named.items() if part is not None}
        return {**sent, **{key: to_json(part) for key, part in getattr(value, "extra", {}).items()}}
    if isinstance(value, Mapping):
        return {key: to_json(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(part) for part in value]
    return value


_known_hints: Dict[Any, Dict[str, Any]] = {}


def _hints(owner: Any) -> Dict[str, Any]:
    if owner not in _known_hints:
        _known_hints[owner] = typing.get_type_hints(owner, globals())
    return _known_hints[owner]


def _decode(hint: Any, value: Any) -> Any:
    """Makes records of objects. A value that is not as declared, as of a newer server, stays as it is."""
    if typing.get_origin(hint) is Union:
        fitting = (member for member in typing.get_args(hint) if _fits(member, value))
        return _decode(next(fitting, Any), value)
    if isinstance(value, list) and typing.get_origin(hint) is list:
        return [_decode(typing.get_args(hint)[0], item) for item in value]
    if isinstance(value, dict) and typing.get_origin(hint) is dict:
        return {key: _decode(typing.get_args(hint)[1], part) for key, part in value.items()}
    if isinstance(value, dict) and _is_record(hint):
        return _record(hint, value)
    return value


def _record(kind: Type[Any], value: Dict[str, Any]) -> Any:
    hints = _hints(kind)
    names = {kind._names.get(one.name, one.name): one.name for one in dataclasses.fields(kind) if one.name != "extra"}
    known = {names[key]: _decode(hints[names[key]], part) for key, part in value.items() if key in names}
    missing = {name: None for name in names.values() if name not in known}
    extra = {key: part for key, part in value.items() if key not in names}
    return kind(**known, **missing, extra=extra)


def _fits(hint: Any, value: Any) -> bool:
    origin = typing.get_origin(hint)
    if origin is Union:
        return any(_fits(member, value) for member in typing.get_args(hint))
    if origin is Literal:
        return value in typing.get_args(hint)
    if origin is list:
        return isinstance(value, list) and all(_fits(typing.get_args(hint)[0], item) for item in value[:1])
    if origin is dict:
        return isinstance(value, dict)
    if _is_record(hint):
        return isinstance(value, dict) and all(_has(hint, one, value) for one in dataclasses.fields(hint))
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return hint is Any or isinstance(value, hint)


def _has(kind: Any, one: Any, value: Dict[str, Any]) -> bool:
    """Whether an object has a field of a record, where it must, and its constant, where it is one."""
    name = kind._names.get(one.name, one.name)
    if name not in value:
        return one.default is not dataclasses.MISSING or one.default_factory is not dataclasses.MISSING
    hint = _hints(kind)[one.name]
    return typing.get_origin(hint) is not Literal or value[name] in typing.get_args(hint)


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Record)


def _given(options: Mapping[str, Any], names: Mapping[str, str]) -> List[typing.Tuple[str, Any]]:
    return [(key, options[key]) for key in names if options.get(key) is not None]


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _quote(names: Names) -> str:
    listed = [names] if isinstance(names, str) else names
    return ";".join(urllib.parse.quote(name, safe="") for name in listed)


def _body(body: Any, kind: str) -> bytes:
    if _JSON_TYPE.match(kind):
        return json.dumps(to_json(body), allow_nan=False).encode()
    return body.encode() if isinstance(body, str) else body


def _read(response: Any) -> Any:
    with response:
        content = response.read()
        kind = response.headers.get("Content-Type") or ""
    if not content:
        return None
    if _JSON_TYPE.match(kind):
        return json.loads(content)
    return content.decode() if kind.startswith("text/") else content


def _error(status: int, content: bytes) -> TorusError:
    text = content.decode(errors="replace")
    try:
        problem = json.loads(text)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {}
    code = problem.get("code")
    kind = _ERRORS.get(code) if isinstance(code, str) else None
    message = problem.get("detail") or f"status {status}: {text[:500]}"
    return (kind or TorusError)(code if kind else "other", message, status, problem)


def _wait(attempt: int, after: Optional[str] = None) -> float:
    """Seconds before the next attempt.

    Those of `Retry-After` (RFC 9110 section 10.2.3), otherwise the double of the ones before, with a random part so
    that clients do not come back together.
    """
    if after is not None:
        if after.isdigit():
            return float(after)
        try:
            return max(email.utils.parsedate_to_datetime(after).timestamp() - time.time(), 0.0)
        except (TypeError, ValueError):
            pass
    return min(_FIRST_S * 2**attempt, _MAX_WAIT_S) * random.uniform(0.5, 1)


def _parse_events(stream: Any) -> Iterator[typing.Tuple[str, str, str]]:
    """Server-sent events (HTML, section 9.2.6), until the connection is lost.

    An event that has not ended with an empty line is left out.
    """
    event_id, event = "", "message"
    data: List[str] = []
    while True:
        try:
            line = stream.readline()
        except (OSError, http.client.HTTPException):
            return
        if not line:
            return
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        value = value[1:] if value.startswith(" ") else value
        if not name and not value:
            if data:
                yield event_id, event, "\n".join(data)
            event, data = "message", []
        elif name == "id":
            event_id = value
        elif name == "event":
            event = value
        elif name == "data":
            data.append(value)
