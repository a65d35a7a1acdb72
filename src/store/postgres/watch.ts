// Watch over the connection that holds the lock: lost with an outage, it is opened anew until the database is back.
import type { Connection } from "./connection.ts";
import type { Holder } from "./holder.ts";
import type { Pool } from "./pool.ts";

const PERIOD_MS = 1000;

interface WatchDeps {
  readonly connect: () => Promise<Connection>;
  readonly holder: Holder;
  readonly pool: Pool;
}

export class Watch {
  readonly #timer: Timer;
  #isBusy = false;

  constructor(
    private held: Connection,
    private readonly deps: WatchDeps,
  ) {
    this.#timer = setInterval(() => void this.#look(), PERIOD_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.held.close();
  }

  async #look(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      if (this.held.isLost) await this.#reopen();
      else await this.held.query("select 1").catch(() => this.held.close());
    } finally {
      this.#isBusy = false;
    }
  }

  /** The next look tries again where this fails. */
  async #reopen(): Promise<void> {
    const { connect, holder, pool } = this.deps;
    // Their server process is gone, too; the first statement on each would find that out.
    await pool.reset();
    try {
      this.held = await connect();
      await holder.retake(this.held);
    } catch {
      await this.held.close();
    }
  }
}
