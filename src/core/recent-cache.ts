// Recent cache: the values of the texts used last, in two halves; the older half is dropped when the younger one is full. Pure.

/** Characters; longer keys are not kept: senders choose them. */
export const MAX_KEY = 512;

export class RecentCache<V> {
  #younger = new Map<string, V>();
  #older = new Map<string, V>();

  /** @param size number of keys of a half */
  constructor(private readonly size: number) {}

  get(key: string): V | undefined {
    if (key.length > MAX_KEY) return undefined;
    const known = this.#younger.get(key);
    if (known !== undefined) return known;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (key.length > MAX_KEY) return;
    if (this.#younger.size >= this.size) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, value);
  }
}
