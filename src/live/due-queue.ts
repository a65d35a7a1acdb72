// Priority queue of names by due time: a binary heap whose replaced and removed entries are dropped lazily.

interface Item {
  readonly at: number;
  readonly name: string;
}

export class DueQueue {
  readonly #heap: Item[] = [];
  /** The valid item per name; others in the heap are stale. */
  readonly #current = new Map<string, Item>();

  /** Time of the first item, ms since the epoch; undefined while there is none. */
  get nextAt(): number | undefined {
    this.#dropStale();
    return this.#heap[0]?.at;
  }

  /** Adds a name, or moves it. @param at ms since the epoch */
  put(name: string, at: number): void {
    const item = { at, name };
    this.#current.set(name, item);
    this.#heap.push(item);
    this.#rise(this.#heap.length - 1);
  }

  remove(name: string): void {
    this.#current.delete(name);
  }

  /** Removes the first name that is due. @returns undefined where none is */
  takeDue(nowAt: number): string | undefined {
    this.#dropStale();
    const first = this.#heap[0];
    if (!first || first.at > nowAt) return undefined;
    this.#pop();
    this.#current.delete(first.name);
    return first.name;
  }

  #dropStale(): void {
    for (let first = this.#heap[0]; first; first = this.#heap[0]) {
      if (this.#current.get(first.name) === first) return;
      this.#pop();
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
  }

  #rise(start: number): void {
    for (let i = start; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (this.#heap[parent]!.at <= this.#heap[i]!.at) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #sink(): void {
    for (let i = 0; ; ) {
      const least = this.#earlier(this.#earlier(i, 2 * i + 1), 2 * i + 2);
      if (least === i) return;
      this.#swap(i, least);
      i = least;
    }
  }

  #earlier(i: number, other: number): number {
    return other < this.#heap.length && this.#heap[other]!.at < this.#heap[i]!.at ? other : i;
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b]!, this.#heap[a]!];
  }
}
