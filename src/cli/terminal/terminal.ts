// What a command sees of the process it runs in.

/** Standard streams, environment, clock and interrupts. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** To standard output. */
  write(text: string): void;
  /** To standard error. */
  writeError(text: string): void;
  readonly isTty: { readonly output: boolean; readonly errors: boolean };
  /** Characters of a line; undefined where it is no terminal. */
  readonly columns: number | undefined;
  /** The size now; undefined where it is no terminal. */
  size?(): { readonly columns: number; readonly rows: number } | undefined;
  /** Calls back for each key, arrows as their escape sequences. @returns what ends it; absent: there is no keyboard */
  onKey?(handler: (key: string) => void): () => void;
  /** ms since the epoch. */
  now(): number;
  /** Standard input. */
  input(): AsyncIterable<Uint8Array>;
  /** Calls back for the first Ctrl-C or SIGTERM, with the exit code that belongs to it; the second one ends the process. */
  onInterrupt(handler: (exitCode: number) => void): void;
}
