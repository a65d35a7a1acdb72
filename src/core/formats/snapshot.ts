// Files of a database that can be copied while it is written to.

/** A database's files as they belong together; what they mean does not change until `release`. */
export interface Snapshot {
  readonly files: readonly SnapshotFile[];
  /** Ends the snapshot; to be called once. @throws where the database cannot be used: the disk is full */
  release(): void;
}

export interface SnapshotFile {
  /** Path in the data directory, with slashes. */
  readonly name: string;
  /**
   * To read the file by; it belongs to the snapshot. Closing any descriptor of a database file ends the locks that the
   * process holds on it (fcntl(2)), so a reader must not open and close its own.
   */
  readonly descriptor: number;
}

/** The row of `PRAGMA wal_checkpoint`. */
export interface Checkpoint {
  readonly busy: number;
  /** Frames in the log; -1: there is no log. */
  readonly log: number;
  /** Frames of them that are in the main file. */
  readonly checkpointed: number;
}

/**
 * Whether the main file alone is the database. A transaction that begins then keeps the main file as it is, but not the
 * log, which the next write starts over: a copy must leave the log out. Otherwise it keeps the log from being started
 * over, and a copy needs both (sqlite.org/walformat.html, "Locks").
 */
export function isLogEmptied({ busy, log, checkpointed }: Checkpoint): boolean {
  return busy === 0 && log === checkpointed;
}
