// Priority queue of names by due time; replaced and removed entries stay in the heap until they are first.
import TinyQueue from "tinyqueue";

interface Item {
  readonly at: number;
  readonly name: string;
}

export class DueQueue {
  readonly #heap = new TinyQueue<Item>([], (a, b) => a.at - b.at);
  /** The valid item per name; others in the heap are stale. */
  readonly #current = new Map<string, Item>();

  /** Time of the first item, ms since the epoch; undefined while there is none. */
  get nextAt(): number | undefined {
    this.#dropStale();
    return this.#heap.peek()?.at;
  }

  /** Adds a name, or moves it. @param at ms since the epoch */
  put(name: string, at: number): void {
    const item = { at, name };
    this.#current.set(name, item);
    this.#heap.push(item);
  }

  remove(name: string): void {
    this.#current.delete(name);
  }

  /** Removes the first name that is due. @returns undefined where none is */
  takeDue(nowAt: number): string | undefined {
    this.#dropStale();
    const first = this.#heap.peek();
    if (!first || first.at > nowAt) return undefined;
    this.#heap.pop();
    this.#current.delete(first.name);
    return first.name;
  }

  #dropStale(): void {
    for (let first = this.#heap.peek(); first; first = this.#heap.peek()) {
      if (this.#current.get(first.name) === first) return;
      this.#heap.pop();
    }
  }
}
