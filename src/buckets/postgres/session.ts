// One session of a PostgreSQL connection: statements of a transaction, which can be canceled from outside.

/** Values of one row, in the order of the columns. */
export type Row = readonly unknown[];

export interface Column {
  readonly name: string;
  /** Object id of the type. */
  readonly type: number;
}

export interface CancelableSession extends Session {
  /** Tells the server to end what it is doing. */
  cancel(): void;
}
/** A transaction. */
export interface Session {
  /** Runs one statement; parameters are `$1`, `$2`, ... and never part of its text. */
  run(statement: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Columns of what stands behind FROM. @throws where it is more than one statement, so that none can end the transaction */
  describe(from: string): Promise<readonly Column[]>;
}
