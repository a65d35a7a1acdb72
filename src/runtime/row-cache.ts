// Cache of rows between writes, each with its view and the JSON of that view.
//
// A cached answer is never older than the database:
// 1. `put` keeps the answer to a query, one row or a list of rows, under its kind and key.
// 2. `tablesOf` lists the tables that the answers of each kind are read from.
// 3. `invalidate` drops the kinds that read one of the changed tables; the views and texts of their rows go with them.
// Answers are frozen copies, shared by all callers. A view that also depends on the clock, a job or live detection must
// not be cached.

/** Beyond, the whole cache is dropped. */
const MAX_ROWS = 20_000;

interface Partition {
  readonly answers: Map<string, unknown>;
  rows: number;
}

/** JSON of cached views, undefined until it is first written; answers are written where no cache is at hand. */
const texts = new WeakMap<object, string | undefined>();

/** Kind and key together identify one query. */
export class RowCache<Kind extends string, Table extends string> {
  readonly #partitions = new Map<Kind, Partition>();
  /** Invalidations of a kind. */
  readonly #epochs = new Map<Kind, number>();
  /** Views by row. */
  readonly #views = new WeakMap<object, object>();

  /** @param keeps kinds whose answers stay in memory; default: all */
  constructor(
    private readonly tablesOf: Readonly<Record<Kind, readonly Table[]>>,
    private readonly keeps: (kind: Kind) => boolean = () => true,
  ) {}

  /** @returns undefined where nothing is cached */
  get(kind: Kind, key: string): unknown {
    return this.#partitions.get(kind)?.answers.get(key);
  }

  /** Changes when answers of the kind are invalidated: an answer that was asked for before must not be put after. */
  epochOf(kind: Kind): number {
    return this.#epochs.get(kind) ?? 0;
  }

  /** Caches a row or a list of rows. @returns the answer from now on: a frozen copy */
  put<T>(kind: Kind, key: string, answer: T): T {
    const rows = Array.isArray(answer) ? answer.length + 1 : 1;
    if (rows > MAX_ROWS || !this.keeps(kind)) return answer;
    if (this.#countRows() + rows > MAX_ROWS) this.#partitions.clear();
    const partition = this.#partitions.get(kind) ?? { answers: new Map(), rows: 0 };
    this.#partitions.set(kind, partition);
    const kept = freezeCopy(answer);
    partition.answers.set(key, kept);
    partition.rows += rows;
    return kept;
  }

  /** Drops what was read from these tables. @param changes absent: everything */
  invalidate(changes?: readonly Table[]): void {
    for (const [kind, tables] of Object.entries(this.tablesOf) as [Kind, readonly Table[]][]) {
      if (changes && !tables.some((table) => changes.includes(table))) continue;
      this.#partitions.delete(kind);
      this.#epochs.set(kind, this.epochOf(kind) + 1);
    }
  }

  /** The view of a row, made at first use and frozen. */
  view<Row extends object, View extends object>(row: Row, make: (row: Row) => View): View {
    const known = this.#views.get(row);
    if (known) return known as View;
    const view = Object.freeze(make(row));
    this.#views.set(row, view);
    texts.set(view, undefined);
    return view;
  }

  #countRows(): number {
    let rows = 0;
    for (const partition of this.#partitions.values()) rows += partition.rows;
    return rows;
  }
}

/** JSON as `JSON.stringify` writes it; entries of a list that are cached views are written once. */
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

/**
 * A copy, frozen at any depth: its parts lie together in memory, apart from what reading the rows has left behind.
 * Arrays are not frozen, because `JSON.stringify` writes frozen ones slowly.
 */
function freezeCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(freezeCopy) as T;
  const copy = { ...value } as Record<string, unknown>;
  for (const [name, inner] of Object.entries(copy))
    if (typeof inner === "object") copy[name] = freezeCopy(inner);
  return Object.freeze(copy) as T;
}
