// Cache of immutable views: each is built once per row and serialised to JSON once.

/** JSON of cached views; undefined until first needed. */
const texts = new WeakMap<object, string | undefined>();

/** Views by row. A view lives as long as its row stays in the cache of the store. */
export class ViewCache<Row extends object, View extends object> {
  readonly #views = new WeakMap<Row, View>();

  /** @returns undefined if the row has no cached view */
  get(row: Row): View | undefined {
    return this.#views.get(row);
  }

  /** Caches and freezes the view of a frozen row. @returns the view */
  keep(row: Row, view: View): View {
    Object.freeze(view);
    this.#views.set(row, view);
    texts.set(view, undefined);
    return view;
  }

  /** The cached view of a row, built on first use; for rows whose view never changes. */
  memoize(row: Row, make: (row: Row) => View): View {
    return this.get(row) ?? this.keep(row, make(row));
  }
}

/** The text of `JSON.stringify`; cached views in a list are serialised once and reused. */
export function writeJson(value: unknown): string {
  if (!Array.isArray(value) || !value.some(isCached)) return JSON.stringify(value);
  return `[${value.map(writeEntry).join(",")}]`;
}

function isCached(value: unknown): value is object {
  return typeof value === "object" && value !== null && texts.has(value);
}

function writeEntry(value: unknown): string {
  if (!isCached(value)) return JSON.stringify(value) ?? "null";
  let text = texts.get(value);
  if (text === undefined) {
    text = JSON.stringify(value);
    texts.set(value, text);
  }
  return text;
}
