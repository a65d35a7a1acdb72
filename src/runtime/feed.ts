// Feed: listeners called in order for each item; they must not throw, as the publisher has already committed.

export class Feed<T> {
  readonly #listeners = new Set<(item: T) => void>();

  /** @returns a function that ends the subscription */
  subscribe(listener: (item: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  publish(items: readonly T[]): void {
    if (items.length === 0) return;
    for (const listener of this.#listeners) for (const item of items) listener(item);
  }
}
