// Interface to the process: standard streams, environment, clock, interrupts.

/** Standard streams, environment, clock and interrupts. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** To standard output. */
  write(text: string): void;
  /** To standard error. */
  writeError(text: string): void;
  readonly isTty: { readonly output: boolean; readonly errors: boolean };
  /** Width in characters; undefined outside a terminal. */
  readonly columns: number | undefined;
  /** Current size; undefined outside a terminal. */
  size?(): { readonly columns: number; readonly rows: number } | undefined;
  /** Calls back for each key, arrows as escape sequences; absent without a keyboard. @returns the unsubscribe function */
  onKey?(handler: (key: string) => void): () => void;
  /** ms since the epoch. */
  now(): number;
  /** Standard input. */
  input(): AsyncIterable<Uint8Array>;
  /** Calls back for the first SIGINT or SIGTERM, with its exit code; the second one ends the process. */
  onInterrupt(handler: (exitCode: number) => void): void;
}
