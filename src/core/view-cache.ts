// Cache of views and of their JSON, by the rows they show.
//
// A list such as GET /models is answered from three layers, each keyed by the identity of an object of the one before:
// 1. rows: `store/db/row-cache` returns the same frozen row until a write invalidates it;
// 2. views: a ViewCache maps a row to its view, where the view depends on nothing but the row;
// 3. texts: `writeJson` maps a cached view to its JSON.
// The maps of views and texts are weak: when the store drops a row, its view and its JSON go with it. Only the store
// invalidates. A view that also depends on the clock, a job or live detection must not be cached.

/** JSON of cached views; undefined until it is first written. */
const texts = new WeakMap<object, string | undefined>();

export class ViewCache<Row extends object, View extends object> {
  readonly #views = new WeakMap<Row, View>();

  /** @returns undefined if there is none */
  get(row: Row): View | undefined {
    return this.#views.get(row);
  }

  /** Caches the view of a frozen row. @returns the view, frozen */
  keep(row: Row, view: View): View {
    Object.freeze(view);
    this.#views.set(row, view);
    texts.set(view, undefined);
    return view;
  }

  /** The cached view, made at first use. */
  memoize(row: Row, make: (row: Row) => View): View {
    return this.get(row) ?? this.keep(row, make(row));
  }
}

/**
 * JSON as `JSON.stringify` writes it; entries of a list that are cached views are not written again.
 */
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
