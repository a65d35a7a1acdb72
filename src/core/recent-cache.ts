// Recent cache: the values of the keys used last, in two halves; the older half is dropped when the younger one is full. Pure.
export class RecentCache<K, V> {
  #younger = new Map<K, V>();
  #older = new Map<K, V>();

  /** @param size number of keys of a half */
  constructor(private readonly size: number) {}

  get(key: K): V | undefined {
    const known = this.#younger.get(key);
    if (known !== undefined) return known;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.#younger.size >= this.size) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, value);
  }
}
