// Files that are held still while they are copied.

/** A database's files as they belong together; nothing changes that they mean until `release`. */
export interface Snapshot {
  readonly files: readonly {
    /** Path in the data directory, with slashes. */
    readonly name: string;
    readonly path: string;
  }[];
  /** Lets the database go on as before; to be called once. */
  release(): void;
}
