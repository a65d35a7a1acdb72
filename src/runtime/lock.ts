// Exclusive lock of the process, held in order of arrival.

export class Lock {
  #isHeld = false;
  readonly #waiting: (() => void)[] = [];

  /**
   * Runs work alone; at once where the lock is free. Work that runs the same lock again waits for itself.
   * @returns its outcome
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isHeld = true;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Handed over: it stays held until the next one runs.
      if (next) next();
      else this.#isHeld = false;
    }
  }
}
