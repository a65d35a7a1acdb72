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
