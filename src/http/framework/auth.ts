// Authentication by token, with a limit on failures per address.
import { FailureLimit } from "../../core/access/failure-limit.ts";
import {
  narrowerScope,
  type Principal,
  parseAuthorization,
  parseQueryCredentials,
  unrestricted,
} from "../../core/access/token.ts";
import { TorusError } from "../../core/errors.ts";
import type { Tokens } from "../../resources/tokens/index.ts";
import type { Dialect } from "./dialect.ts";

const BASIC = 'Basic realm="torus", charset="UTF-8"';
const BEARER = 'Bearer realm="torus"';
const UNKNOWN_TOKEN = "the token is unknown, deleted or expired";
const LIMITS = { failures: 10, windowMs: 60_000, addresses: 10_000 };

/** Where requests of a dialect may hold credentials. */
type Credentialed = Pick<Dialect, "hasQueryCredentials" | "keyHeader">;

interface AuthDeps {
  readonly tokens: Pick<Tokens, "isOn" | "authenticate">;
  /** Address of the client; forwarding headers count only from trusted proxies. */
  readonly addressOf: (request: Request) => string;
  /** ms since the epoch */
  readonly now: () => number;
  /** Called for wrong credentials. */
  readonly onFailure: (address: string) => void;
}

export class Auth {
  readonly #headerFailures = new FailureLimit(LIMITS);
  /** Counted separately: any page can make a browser send a query, which must not lock out clients that send a header. */
  readonly #queryFailures = new FailureLimit(LIMITS);

  constructor(private readonly deps: AuthDeps) {}

  /** Who sends a request: the id of its token, or the address of the client. */
  clientOf(request: Request, { token }: Principal): string {
    return token === undefined ? `address ${this.deps.addressOf(request)}` : `token ${token.id}`;
  }

  /** @throws TorusError `unauthorized`, `too_many_requests` */
  identify(request: Request, dialect: Credentialed): Principal {
    const { tokens } = this.deps;
    if (!tokens.isOn) return unrestricted;
    const header = request.headers.get("authorization") ?? keyOf(request, dialect);
    if (header === null) return this.#identifyQuery(request, dialect);
    const failures = this.#headerFailures;
    if (failures.size > 0) this.#refuseWaiting(request, failures);
    const credentials = parseAuthorization(header);
    const principal = credentials && tokens.authenticate(credentials);
    if (principal) return principal;
    this.#recordFailure(request, failures);
    throw unauthorized(
      credentials
        ? UNKNOWN_TOKEN
        : "the authorization header must be Bearer <token>, or Basic with the token's name and the token",
    );
  }

  /** A token in the query grants at most scope `run`: queries end up in logs. */
  #identifyQuery(request: Request, { hasQueryCredentials, keyHeader }: Credentialed): Principal {
    const credentials = hasQueryCredentials ? parseQueryCredentials(request.url) : undefined;
    const also = keyHeader ? `, or ${keyHeader}: <token>` : "";
    if (!credentials) throw unauthorized(`a token is needed: send authorization: Bearer <token>${also}`);
    const failures = this.#queryFailures;
    if (failures.size > 0) this.#refuseWaiting(request, failures);
    const principal = this.deps.tokens.authenticate(credentials);
    if (principal) return { ...principal, scope: narrowerScope(principal.scope, "run") };
    this.#recordFailure(request, failures);
    throw unauthorized(UNKNOWN_TOKEN);
  }

  /** Correct credentials are refused too, or guessing could go on until they are found. */
  #refuseWaiting(request: Request, failures: FailureLimit): void {
    const { addressOf, now } = this.deps;
    const waitMs = failures.waitMs(addressOf(request), now());
    if (waitMs <= 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    const message = `too many wrong tokens from this address: wait ${seconds} s`;
    throw new TorusError("too_many_requests", message, { retry_after: seconds });
  }

  #recordFailure(request: Request, failures: FailureLimit): void {
    const { addressOf, now, onFailure } = this.deps;
    const address = addressOf(request);
    failures.record(address, now());
    onFailure(address);
  }
}

/** The value of `Authorization` with the token of the dialect's own header; null without one. */
function keyOf({ headers }: Request, { keyHeader }: Credentialed): string | null {
  const key = keyHeader === undefined ? null : headers.get(keyHeader);
  return key === null ? null : `Bearer ${key}`;
}

/**
 * `WWW-Authenticate` of a 401. A browser that opens a page shows its password prompt only for `Basic` alone; for
 * requests of scripts it must not show one, as scripts send a token themselves.
 */
export function challengeFor({ headers }: Request): string {
  const mode = headers.get("sec-fetch-mode");
  if (mode === "navigate") return BASIC;
  if (mode !== null || headers.has("origin")) return BEARER;
  return headers.get("accept")?.includes("text/html") ? BASIC : `${BASIC}, ${BEARER}`;
}

function unauthorized(message: string): TorusError {
  return new TorusError("unauthorized", message);
}
