// Shared runtime: the module that one worker has compiled, for all that start while one of them lives.

/** Released with the last worker: it takes some 50 MB. */
export class SharedRuntime {
  #module: WebAssembly.Module | undefined;
  #workers = 0;

  get module(): WebAssembly.Module | undefined {
    return this.#module;
  }

  /** Keeps what a worker has compiled; of one that has ended meanwhile only where another lives. */
  offer(module: WebAssembly.Module): void {
    if (this.#workers > 0) this.#module ??= module;
  }

  /** A worker starts. */
  join(): void {
    this.#workers++;
  }

  /** A worker has ended. */
  leave(): void {
    this.#workers--;
    if (this.#workers === 0) this.#module = undefined;
  }
}
