// Engine of the state database: runs the verbs' statements in transactions.
import type { Db } from "./database.ts";

/**
 * Statements of a transaction, and pure decisions between them. Nothing else is awaited: a transaction that begins within
 * would wait for itself.
 */
export type Work<T> = (db: Db) => T | Promise<T>;

export interface Engine {
  /** Whether other nodes work on the same database. */
  readonly isShared: boolean;
  /** Runs `work` in one transaction, as if no other ran beside it; a throw undoes all of it. */
  write<T>(work: Work<T>): Promise<T>;
  /**
   * Runs `work` in one transaction, guarded by the row that its first statement changes; see `writeGuarded` of
   * transaction.ts.
   */
  writeGuarded<T>(work: Work<T>): Promise<T>;
  /** Runs `work` on what is committed. */
  read<T>(work: Work<T>): Promise<T>;
  /** As `read`, of a single statement, which needs no transaction. */
  readOne<T>(work: Work<T>): Promise<T>;
}
