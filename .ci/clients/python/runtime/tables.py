# Lists in pages, and answers as data frames.


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
