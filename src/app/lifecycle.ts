// Parts of the service that are up, and how each is taken down again.
import type { Log } from "../telemetry/log.ts";

/** Parts that are up, and how each is taken down. */
export class Lifecycle {
  readonly #releases: { readonly part: string; readonly release: () => unknown }[] = [];

  constructor(private readonly log: Log) {}

  onStop(part: string, release: () => unknown): void {
    this.log.debug("started", { part });
    this.#releases.push({ part, release });
  }

  /** The reverse of the start; one part that cannot be stopped does not keep the others up. */
  async stopAll(): Promise<void> {
    for (let next = this.#releases.pop(); next; next = this.#releases.pop()) {
      try {
        await next.release();
        this.log.debug("stopped", { part: next.part });
      } catch (error) {
        this.log.error("part did not stop", { part: next.part, error });
      }
    }
  }
}
