// Repeats of log lines during an outage: one of the same message a minute, which counts the others.

/** Shortest time between two lines of the same message, ms. */
const EVERY_MS = 60_000;

interface Written {
  readonly at: number;
  /** Lines left out since. */
  left: number;
}

export class OutageLines {
  readonly #written = new Map<string, Written>();

  /**
   * Counts a line.
   * @param key of the message; there are as many as messages in the program
   * @param now ms since the epoch
   * @returns how many were left out since the last one; undefined where this one is left out, too
   */
  take(key: string, now: number): number | undefined {
    const last = this.#written.get(key);
    // Of a clock that was set back: the line is due.
    const isDue = !last || Math.abs(now - last.at) >= EVERY_MS;
    if (!isDue) {
      last.left++;
      return undefined;
    }
    this.#written.set(key, { at: now, left: 0 });
    return last?.left ?? 0;
  }
}
