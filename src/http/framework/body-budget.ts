// Bytes of request bodies that are held at a time, over all requests.
import { TorusError } from "../../core/errors.ts";

/** Until others have been answered; s. */
const RETRY_AFTER_S = 1;

export class BodyBudget {
  #held = 0;

  /** @param limit bytes; one body alone may be larger */
  constructor(private readonly limit: number) {}

  /** Starts the account of one request. */
  open(): BodyAccount {
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
    return new TorusError(
      "overloaded",
      `the bodies of requests under way hold ${this.limit} bytes (server.limits.bodies_in_flight_bytes); send it again`,
      { retry_after: RETRY_AFTER_S },
    );
  }
}

/** What one request holds. */
export interface BodyAccount {
  /** @throws TorusError `overloaded` where others hold too much */
  take(bytes: number): void;
  /** Gives back what was taken. */
  close(): void;
}
