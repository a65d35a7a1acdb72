// Shared runtime: the module that one worker has compiled, for all that start while one of them lives.

/** Released with the last worker: it takes some 50 MB. */
export class SharedRuntime {
  module: WebAssembly.Module | undefined;
  #workers = 0;

  /** A worker starts. */
  join(): void {
    this.#workers++;
  }

  /** A worker has ended. */
  leave(): void {
    this.#workers--;
    if (this.#workers === 0) this.module = undefined;
  }
}
