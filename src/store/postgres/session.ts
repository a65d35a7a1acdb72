// Session for beats and the feed of changes: one connection beside the pool, opened anew after an outage.
import { TorusError } from "../../core/errors.ts";
import type { Connection } from "./connection.ts";
import { translate } from "./errors.ts";

/** Runs single statements, each committed by itself. */
export interface SingleStatements {
  /** @throws TorusError `storage_unavailable` */
  query(text: string, params?: readonly unknown[]): Promise<unknown[][]>;
}

interface SessionDeps {
  readonly connect: () => Promise<Connection>;
  /** Called when the connection is lost: it may be only one of many that hang. */
  readonly onLost: () => void;
}

export class Session implements SingleStatements {
  #connection: Connection | undefined;
  #outage: TorusError | undefined;
  #opening: Promise<Connection> | undefined;

  constructor(private readonly deps: SessionDeps) {}

  async query(text: string, params: readonly unknown[] = []): Promise<unknown[][]> {
    try {
      const connection = await this.#open();
      const rows = await connection.query(text, params);
      this.#outage = undefined;
      return rows;
    } catch (error) {
      if (this.#connection?.isLost) {
        this.#connection = undefined;
        this.deps.onLost();
      }
      const translated = translate(error);
      this.#outage = isOutage(translated) ? translated : undefined;
      throw translated;
    }
  }

  /** Why the last statement found no database; undefined where it found it. */
  get outage(): TorusError | undefined {
    return this.#outage;
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  async #open(): Promise<Connection> {
    if (this.#connection && !this.#connection.isLost) return this.#connection;
    this.#opening ??= this.deps.connect().finally(() => (this.#opening = undefined));
    this.#connection = await this.#opening;
    return this.#connection;
  }
}

function isOutage(error: unknown): error is TorusError {
  return error instanceof TorusError && error.code === "storage_unavailable";
}
