// Snapshots of a SQLite database: files that can be copied consistently while it is written to.

/** A consistent set of database files, valid until `release`. */
export interface Snapshot {
  readonly files: readonly SnapshotFile[];
  /** Ends the snapshot; call it once. @throws if the database cannot be used, for example on a full disk */
  release(): void;
}

export interface SnapshotFile {
  /** Path in the data directory, with slashes. */
  readonly name: string;
  /**
   * Open descriptor to read the file, owned by the snapshot. A reader must not open and close its own: closing any
   * descriptor of a file releases all locks of the process on it (fcntl(2)).
   */
  readonly descriptor: number;
  /** Bytes that belong to the snapshot; absent: all. */
  readonly size?: number;
}

/** The row of `PRAGMA wal_checkpoint`. */
export interface Checkpoint {
  readonly busy: number;
  /** Frames in the log; -1 without a log. */
  readonly log: number;
  /** Frames already copied to the main file. */
  readonly checkpointed: number;
}

/**
 * Whether the main file alone is the database. If so, a read transaction protects the main file but not the log, which
 * the next write restarts: a copy must omit the log. If not, it protects the log too, and a copy needs both files
 * (sqlite.org/walformat.html, "Locks").
 */
export function isLogEmptied({ busy, log, checkpointed }: Checkpoint): boolean {
  return busy === 0 && log === checkpointed;
}
