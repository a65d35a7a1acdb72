// Lifecycle: started components and their release functions.
import type { Log } from "../telemetry/log.ts";

/** Started components, stopped in reverse order. */
export class Lifecycle {
  readonly #releases: { readonly part: string; readonly release: () => unknown }[] = [];

  constructor(private readonly log: Log) {}

  onStop(part: string, release: () => unknown): void {
    this.log.debug("started", { part });
    this.#releases.push({ part, release });
  }

  /** Releases all components in reverse order; a failure is logged and the others still stop. */
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
