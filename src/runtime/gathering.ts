// Gathers keys that are asked for at the same time into one question, as DataLoader does; none joins a question under way.

/** Questions under way at the same time: while one is answered, the next one is asked. */
const MAX_UNDER_WAY = 2;

interface Asked<V> {
  readonly key: string;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class Gathering<V> {
  #waiting: Asked<V>[] = [];
  #underWay = 0;
  #isPlanned = false;

  /**
   * @param ask values by key; those left out are undefined for their askers
   * @param most keys of one question
   */
  constructor(
    private readonly ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
    private readonly most: number,
  ) {}

  /** The value of a key, by a question that begins after this call. @throws what the question throws */
  get(key: string): Promise<V | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<V | undefined>();
    this.#waiting.push({ key, resolve, reject });
    this.#plan();
    return promise;
  }

  /** Asks after what runs now has ended, since it may ask for more. */
  #plan(): void {
    if (this.#isPlanned || this.#underWay >= MAX_UNDER_WAY || this.#waiting.length === 0) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      void this.#askNext();
    });
  }

  async #askNext(): Promise<void> {
    const asked = this.#waiting.splice(0, this.most);
    this.#underWay++;
    this.#plan();
    try {
      const values = await this.ask([...new Set(asked.map(({ key }) => key))]);
      for (const { key, resolve } of asked) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    } finally {
      this.#underWay--;
      this.#plan();
    }
  }
}
