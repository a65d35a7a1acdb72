// Pool of connections: one per transaction, opened when needed, dropped when lost.
import type { Connection } from "./connection.ts";

export class Pool {
  readonly #idle: Connection[] = [];
  readonly #used = new Set<Connection>();
  readonly #waiting: (() => void)[] = [];
  #open = 0;
  #isClosed = false;

  constructor(
    private readonly connect: () => Promise<Connection>,
    /** Most connections at a time. */
    private readonly size: number,
  ) {}

  /** Runs work on a connection of its own. @throws the driver's error where none can be opened */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    while (this.#open >= this.size) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#open++;
    let connection: Connection | undefined;
    try {
      connection = this.#takeIdle() ?? (await this.connect());
      this.#used.add(connection);
      return await work(connection);
    } finally {
      this.#open--;
      if (connection) this.#used.delete(connection);
      if (connection && !connection.isLost && !this.#isClosed) this.#idle.push(connection);
      else await connection?.close();
      this.#waiting.shift()?.();
    }
  }

  /** Drops all connections, as after an outage: what waits on those in use fails. */
  async reset(): Promise<void> {
    await Promise.all([...this.#idle.splice(0), ...this.#used].map((connection) => connection.close()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  /** Those whose session has ended meanwhile are left out. */
  #takeIdle(): Connection | undefined {
    let connection = this.#idle.pop();
    while (connection?.isLost) connection = this.#idle.pop();
    return connection;
  }
}
