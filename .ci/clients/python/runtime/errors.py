# Errors: problem details (RFC 9457) of the server, and requests without an answer.


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
