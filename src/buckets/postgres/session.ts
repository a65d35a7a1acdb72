// PostgreSQL session: the statements of one transaction, cancelable from outside.

/** Values of one row, in the order of the columns. */
export type Row = readonly unknown[];

export interface Column {
  readonly name: string;
  /** Object id of the type. */
  readonly type: number;
}

export interface CancelableSession extends Session {
  /** Cancels the running statement on the server. */
  cancel(): void;
}

/** A transaction. */
export interface Session {
  /** Runs one statement; parameters are `$1`, `$2`, ... and never part of its text. */
  run(statement: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Columns of a FROM item. @throws for more than one statement, which could end the transaction */
  describe(from: string): Promise<readonly Column[]>;
}
