// Budget of request bodies: bytes held in memory over all requests.
import { TorusError } from "../../core/errors.ts";

const RETRY_AFTER_S = 1;

export class BodyBudget {
  #held = 0;

  readonly #limit: number;

  /** @param limit bytes; a single body may exceed it */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Opens the account of a request. */
  open(): BodyAccount {
    let own = 0;
    return {
      take: (bytes) => {
        if (this.#held + bytes > this.#limit && this.#held > own) throw this.#refuse();
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
    return new TorusError(
      "overloaded",
      `the bodies of requests in flight exceed ${this.#limit} bytes (server.limits.bodies_in_flight_bytes); try again`,
      { retry_after: RETRY_AFTER_S },
    );
  }
}

/** Bytes held by one request. */
export interface BodyAccount {
  /** @throws TorusError `overloaded` where other requests hold too much */
  take(bytes: number): void;
  /** Returns all bytes to the budget. */
  close(): void;
}
