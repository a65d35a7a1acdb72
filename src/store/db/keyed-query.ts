// Queries of rows by key; where nodes share the store, rows asked for at the same time come by one statement.
import { type Placeholder, sql } from "drizzle-orm";
import { BatchLoader } from "../../runtime/batch-loader.ts";
import type { Db } from "./database.ts";
import type { Engine } from "./engine.ts";
import { prepareOnce } from "./prepared.ts";

/** Keys of a statement: few numbers, so that each is prepared once. */
const sizes = [1, 4, 16, 64] as const;
const MOST = sizes.at(-1)!;

interface Prepared<Row> {
  all(values: Record<string, unknown>): PromiseLike<Row[]> | Row[];
}

interface Keyed<Row, Value> {
  /** The statement of the rows whose key is one of some. */
  readonly prepare: (db: Db, keys: Placeholder[]) => Prepared<Row>;
  /** Unique among the rows. */
  readonly keyOf: (row: Row) => string;
  /** Its answer; undefined: there is no row. */
  readonly toValue: (row: Row | undefined) => Value;
}

export class KeyedQuery<Row, Value> {
  readonly #builds = new Map(
    sizes.map((size) => {
      const keys = Array.from({ length: size }, (_, i) => sql.placeholder(`key${i}`));
      return [size, (db: Db) => this.query.prepare(db, keys)] as const;
    }),
  );
  readonly #loaders = new WeakMap<Engine, BatchLoader<Row>>();

  constructor(private readonly query: Keyed<Row, Value>) {}

  /** @throws TorusError as `readOne` of the engine */
  async read(engine: Engine, key: string): Promise<Value> {
    const one = async (db: Db) => (await this.#select(db, [key]))[0];
    const row = await (engine.isShared ? this.#loaderOf(engine).get(key) : engine.readOne(one));
    return this.query.toValue(row);
  }

  #loaderOf(engine: Engine): BatchLoader<Row> {
    const known = this.#loaders.get(engine);
    if (known) return known;
    const query = async (keys: readonly string[]) => {
      const rows = await engine.readOne((db) => this.#select(db, keys));
      return new Map(rows.map((row) => [this.query.keyOf(row), row]));
    };
    const loader = new BatchLoader(query, MOST);
    this.#loaders.set(engine, loader);
    return loader;
  }

  /** @param keys the last one is repeated to fill the statement */
  async #select(db: Db, keys: readonly string[]): Promise<Row[]> {
    const size = sizes.find((each) => each >= keys.length)!;
    const values: Record<string, string> = {};
    for (let i = 0; i < size; i++) values[`key${i}`] = keys[i] ?? keys.at(-1)!;
    return prepareOnce(db, this.#builds.get(size)!).all(values);
  }
}
