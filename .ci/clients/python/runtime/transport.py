# Requests: addresses, credentials, retries, answers by content type, and the stream of events.


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
