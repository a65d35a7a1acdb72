// Batch loader in the manner of DataLoader: one query for keys asked for in a turn; none joins a query that runs.

/** Queries at the same time: while one runs, the next one is collected. */
const MAX_RUNNING = 2;

interface Waiting<V> {
  readonly key: string;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class BatchLoader<V> {
  #waiting: Waiting<V>[] = [];
  #running = 0;
  #isPlanned = false;

  /**
   * @param query values by key; those left out are undefined
   * @param most keys of one query
   */
  constructor(
    private readonly query: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
    private readonly most: number,
  ) {}

  /** The value of a key, by a query that begins after this call. @throws what the query throws */
  get(key: string): Promise<V | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<V | undefined>();
    this.#waiting.push({ key, resolve, reject });
    this.#plan();
    return promise;
  }

  /** Queries once the code that runs now has ended, since it may ask for more. */
  #plan(): void {
    if (this.#isPlanned || this.#running >= MAX_RUNNING || this.#waiting.length === 0) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      void this.#queryNext();
    });
  }

  async #queryNext(): Promise<void> {
    const asked = this.#waiting.splice(0, this.most);
    this.#running++;
    this.#plan();
    try {
      const values = await this.query([...new Set(asked.map(({ key }) => key))]);
      for (const { key, resolve } of asked) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    } finally {
      this.#running--;
      this.#plan();
    }
  }
}
