// Authentication: from the credentials of a request to who sends it; those who guess have to wait.
import { TorusError } from "../core/errors.ts";
import { FailureLimit } from "../core/failure-limit.ts";
import {
  type Credentials,
  everybody,
  type Principal,
  parseAuthorization,
  parseQueryCredentials,
} from "../core/token.ts";
import type { Tokens } from "../resources/tokens.ts";
import { isLinePath } from "./line-body.ts";

const LIMITS = { failures: 10, windowMs: 60_000, addresses: 10_000 };

export interface AuthDeps {
  readonly tokens: Pick<Tokens, "isOn" | "authenticate">;
  /** Where a request comes from. Headers are believed of trusted proxies alone: anybody can send them. */
  readonly addressOf: (request: Request) => string;
  /** ms since the epoch */
  readonly now: () => number;
  /** Told of credentials that were wrong. */
  readonly onFailure: (address: string) => void;
}

export class Auth {
  readonly #limit = new FailureLimit(LIMITS);

  constructor(private readonly deps: AuthDeps) {}

  /** @throws TorusError `unauthorized`, `too_many_requests` */
  identify(request: Request): Principal {
    const { tokens } = this.deps;
    if (!tokens.isOn) return everybody;
    const header = request.headers.get("authorization");
    const credentials = header === null ? readLineCredentials(request) : parseAuthorization(header);
    if (header === null && !credentials)
      throw unauthorized("a token is needed: send authorization: Bearer <token>");
    if (this.#limit.size > 0) this.#refuseWaiting(request);
    const principal = credentials && tokens.authenticate(credentials);
    if (principal) return principal;
    this.#recordFailure(request);
    throw unauthorized(
      credentials
        ? "the token is unknown, deleted or expired"
        : "the authorization header must be Bearer <token>, or Basic with the token's name and the token",
    );
  }

  /** Right credentials are refused as well: otherwise guessing could go on until they are. */
  #refuseWaiting(request: Request): void {
    const { addressOf, now } = this.deps;
    const waitMs = this.#limit.waitMs(addressOf(request), now());
    if (waitMs <= 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    const message = `too many wrong tokens from this address: wait ${seconds} s`;
    throw new TorusError("too_many_requests", message, { retry_after: seconds });
  }

  #recordFailure(request: Request): void {
    const { addressOf, now, onFailure } = this.deps;
    const address = addressOf(request);
    this.#limit.record(address, now());
    onFailure(address);
  }
}

/** Clients of InfluxDB 1 write name and token into the address; nobody else is asked to. */
function readLineCredentials({ url }: Request): Credentials | undefined {
  return isLinePath(new URL(url).pathname) ? parseQueryCredentials(url) : undefined;
}

function unauthorized(message: string): TorusError {
  return new TorusError("unauthorized", message);
}
