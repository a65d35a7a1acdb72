// Security put together: the store and the key of its secrets, tokens, and who may be listened to.
import { statSync } from "node:fs";
import { bucketKinds } from "../buckets/index.ts";
import { findClient, type Network } from "../core/access/trusted-proxies.ts";
import { invalid, type TorusError } from "../core/errors.ts";
import { hookKinds } from "../hooks/index.ts";
import { Auth } from "../http/framework/auth.ts";
import { Tokens } from "../resources/tokens.ts";
import { systemClock } from "../runtime/clock.ts";
import type { ServerSettings } from "../settings/load.ts";
import { isLoopback } from "../settings/values.ts";
import { hasStore, openStore, type Store } from "../store/db/open.ts";
import type { SecretsOf } from "../store/secrets/seal.ts";
import type { Log } from "../telemetry/log.ts";

const kinds: Readonly<Record<string, Readonly<Record<string, { readonly secrets: readonly string[] }>>>> = {
  buckets: bucketKinds,
  hooks: hookKinds,
};
/** What the kinds of buckets and hooks call secret. */
export const secretsOf: SecretsOf = (table, kind) => kinds[table]?.[kind]?.secrets ?? [];

/** Opens the store with its secrets sealed. @throws TorusError `internal` with the steps to take */
export function openSealedStore({ dataDir, security }: ServerSettings, log: Log): Store {
  const onSealed = (copies: readonly string[]) => {
    const way =
      copies.length > 0
        ? "these copies from before still show them: delete them when they are not needed"
        : "";
    log.warn("secrets that lay open in the database are sealed", { ...(way && { note: way, copies }) });
  };
  const store = openStore({ dir: dataDir, sealing: { ...security.sealing, secretsOf, onSealed } });
  for (const file of security.exposedFiles)
    log.warn("others can read a file with a secret; chmod 600", { file });
  if ((statSync(dataDir).mode & 0o077) !== 0)
    log.warn("others can look into the data directory; chmod 700", { dir: dataDir });
  return store;
}

/**
 * Checks what can be known of tokens without starting.
 * @returns what only the start will know, for people
 * @throws TorusError `invalid`
 */
export function checkTokens(settings: ServerSettings): string[] {
  const refusal = findRefusal(settings);
  if (!refusal || settings.security.auth.tokens.length > 0) return [];
  if (!hasStore(settings.dataDir)) throw refusal;
  return ["the server will start only if a token is in its database"];
}

/**
 * Tokens, ready for the first request.
 * @throws TorusError `invalid` where there is none and the settings need one
 */
export async function startTokens(
  settings: ServerSettings,
  { store, log }: { store: Store; log: Log },
): Promise<Tokens> {
  const refusal = findRefusal(settings);
  const tokens = new Tokens({
    store,
    clock: systemClock,
    configured: settings.security.auth.tokens,
    required: refusal !== undefined,
    onError: (error) => log.error("uses of tokens not written down", { error }),
  });
  await tokens.start();
  if (refusal && tokens.isEmpty) throw refusal;
  return tokens;
}

/**
 * Takes the tokens of other settings.
 * @throws TorusError `invalid` where there would be none and the settings need one, or a name is taken
 */
export function reconfigureTokens(settings: ServerSettings, tokens: Tokens): void {
  const configured = settings.security.auth.tokens;
  const refusal = findRefusal(settings);
  if (refusal && tokens.isEmptyWith(configured)) throw refusal;
  tokens.configure({ configured, required: refusal !== undefined });
}

/** Why the settings need a token; undefined where they do not. */
function findRefusal({ listen, security: { auth } }: ServerSettings): TorusError | undefined {
  const way =
    "make one (start on localhost, then: torus token create NAME --scope admin), or name one in server.auth.tokens";
  if (!isLoopback(listen.host) && !auth.insecure) {
    const what = "opens the service to the network, and there is no token";
    return invalid("server.listen", `${what}: ${way}, or say --insecure`);
  }
  return auth.required ? invalid("server.auth.required", `there is no token: ${way}`) : undefined;
}

/** Finds out who sends a request. @param addressOf where it comes from */
export function createAuth(tokens: Tokens, addressOf: (request: Request) => string, log: Log): Auth {
  return new Auth({
    tokens,
    addressOf,
    now: () => systemClock.now(),
    onFailure: (address) => log.warn("a wrong token was sent", { address }),
  });
}

/**
 * Where requests come from, seen through the proxies that are trusted.
 * @param proxiesNow those of the settings in force
 * @param peerOf the other end of a connection
 */
export function clientAddress(
  proxiesNow: () => readonly Network[],
  peerOf: (request: Request) => string,
): (request: Request) => string {
  return (request) => {
    const proxies = proxiesNow();
    if (proxies.length === 0) return peerOf(request);
    return findClient(peerOf(request), request.headers.get("x-forwarded-for"), proxies);
  };
}
