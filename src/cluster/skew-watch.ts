// Watch over the clock of a node: a skew is announced once, and its end once it is well below.

/** Windows are evaluated early or late by as much, ms; beyond `MAX_SKEW_MS` the node does no live work. */
const NOTED_SKEW_MS = 2000;
const ENDED_SKEW_MS = NOTED_SKEW_MS / 2;

export class SkewWatch {
  #isSkewed = false;

  /**
   * @param skewMs of the clock against that of the database, ms
   * @returns the step, where there is one
   */
  observe(skewMs: number): "skewed" | "synchronized" | undefined {
    const isOff = Math.abs(skewMs) > (this.#isSkewed ? ENDED_SKEW_MS : NOTED_SKEW_MS);
    if (isOff === this.#isSkewed) return undefined;
    this.#isSkewed = isOff;
    return isOff ? "skewed" : "synchronized";
  }
}
