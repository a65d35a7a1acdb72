// Budget of bytes held in memory over all requests: those of bodies, those of answers.
import { TorusError } from "../core/errors.ts";

const RETRY_AFTER_S = 1;

export class ByteBudget {
  #held = 0;

  /**
   * @param limit bytes; a single holder may exceed it
   * @param what of the message of an error, with its setting where it has one: `the bodies of requests in flight`
   */
  constructor(
    private readonly limit: number,
    private readonly what: { readonly noun: string; readonly setting?: string },
  ) {}

  /** Opens the account of a request. */
  open(): ByteAccount {
    let own = 0;
    return {
      take: (bytes) => {
        if (this.#held + bytes > this.limit && this.#held > own) throw this.#refuse();
        own += bytes;
        this.#held += bytes;
      },
      close: () => {
        this.#held -= own;
        own = 0;
      },
    };
  }

  #refuse(): TorusError {
    const { noun, setting } = this.what;
    const shown = setting === undefined ? "" : ` (${setting})`;
    return new TorusError("overloaded", `${noun} exceed ${this.limit} bytes${shown}; try again`, {
      retry_after: RETRY_AFTER_S,
    });
  }
}

/** Bytes held by one request. */
export interface ByteAccount {
  /** @throws TorusError `overloaded` where other requests hold too much */
  take(bytes: number): void;
  /** Returns all bytes to the budget. */
  close(): void;
}
