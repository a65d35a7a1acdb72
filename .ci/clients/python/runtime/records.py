# Records: dataclasses from JSON by their annotations, and back.


@dataclass
class Record:
    """An object of the API. A field that is None is not sent; `extra` holds keys that this version does not name."""

    _names: ClassVar[Dict[str, str]] = {}


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
