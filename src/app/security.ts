// Composition of security: sealed store, tokens, authentication, client addresses.
import { statSync } from "node:fs";
import { bucketKinds } from "../buckets/index.ts";
import { findClient, type Network } from "../core/access/trusted-proxies.ts";
import { invalid, type TorusError } from "../core/errors.ts";
import { hookKinds } from "../hooks/index.ts";
import { Auth } from "../http/framework/auth.ts";
import { Tokens } from "../resources/tokens/index.ts";
import { systemClock } from "../runtime/clock.ts";
import type { ServerSettings } from "../settings/load.ts";
import { isLoopback } from "../settings/values.ts";
import { hasStore, openStore, type Store } from "../store/db/open.ts";
import { causeText } from "../store/postgres/errors.ts";
import { openPostgres } from "../store/postgres/open.ts";
import type { SecretsOf } from "../store/secrets/seal.ts";
import type { Log } from "../telemetry/log.ts";

const kinds: Readonly<Record<string, Readonly<Record<string, { readonly secrets: readonly string[] }>>>> = {
  buckets: bucketKinds,
  calendars: { "": { secrets: ["url"] } },
  hooks: hookKinds,
};
/** A restart of the database takes seconds. */
export const STORE_WAIT_MS = 30_000;

/** Secret keys of bucket and hook kinds, and of calendars. */
export const secretsOf: SecretsOf = (table, kind) => kinds[table]?.[kind]?.secrets ?? [];

interface StoreOptions {
  readonly meter?: { onWrite(attempts: number): void; onReset(): void } | undefined;
  /** Ends the wait for a shared database, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens the store with its secrets sealed. @throws TorusError `internal` with the steps to take */
export async function openSealedStore(
  { dataDir, postgres, security, clusterName, cluster }: ServerSettings,
  log: Log,
  { meter, signal }: StoreOptions = {},
): Promise<Store> {
  const onSealed = (copies: readonly string[]) => {
    const way =
      copies.length > 0
        ? "earlier copies still hold them in plain text: delete these when no longer needed"
        : "";
    log.warn("secrets stored in plain text in the database are sealed", {
      ...(way && { note: way, copies }),
    });
  };
  const sealing = { ...security.sealing, secretsOf, onSealed };
  const store = postgres
    ? await openPostgres({
        ...postgres,
        dir: dataDir,
        sealing,
        clusterName,
        leaseMs: cluster.leaseMs,
        waitMs: STORE_WAIT_MS,
        signal,
        onWait: (error) =>
          log.warn("the database cannot be used: waiting for it", {
            seconds: STORE_WAIT_MS / 1000,
            reason: causeText(error),
          }),
        ...(meter && { onWrite: (attempts) => meter.onWrite(attempts) }),
        onReset: () => {
          meter?.onReset();
          log.warn("connections to the database dropped: one of them was lost");
        },
      })
    : openStore({ dir: dataDir, sealing });
  for (const file of security.exposedFiles)
    log.warn("a file with a secret is readable by other users; chmod 600", { file });
  if ((statSync(dataDir).mode & 0o077) !== 0)
    log.warn("the data directory is accessible to other users; chmod 700", { dir: dataDir });
  return store;
}

/**
 * Checks the need for tokens without starting.
 * @returns notes for the operator on checks that only a start can do
 * @throws TorusError `invalid`
 */
export function checkTokens(settings: ServerSettings): string[] {
  const refusal = findRefusal(settings);
  if (!refusal || settings.security.auth.tokens.length > 0) return [];
  if (!settings.postgres && !hasStore(settings.dataDir)) throw refusal;
  return ["the server will start only if a token is in its database"];
}

/**
 * Starts the tokens.
 * @throws TorusError `invalid` without a token where the settings require one
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
    onError: (error) => log.error("last uses of tokens not saved", { error }),
  });
  await tokens.start();
  if (refusal && tokens.isEmpty) throw refusal;
  return tokens;
}

/**
 * Applies the tokens of new settings.
 * @throws TorusError `invalid` without a token where the settings require one, or for a name in use
 */
export function reconfigureTokens(settings: ServerSettings, tokens: Tokens): void {
  const configured = settings.security.auth.tokens;
  const refusal = findRefusal(settings);
  if (refusal && tokens.isEmptyWith(configured)) throw refusal;
  tokens.configure({ configured, required: refusal !== undefined });
}

/** The error for a missing token; undefined where the settings require none. */
function findRefusal({ listen, security: { auth } }: ServerSettings): TorusError | undefined {
  const way =
    "make one (start on localhost, then: torus token create NAME --scope admin), or name one in server.auth.tokens";
  if (!isLoopback(listen.host) && !auth.insecure) {
    const what = "opens the service to the network, and there is no token";
    return invalid("server.listen", `${what}: ${way}, or pass --insecure`);
  }
  return auth.required ? invalid("server.auth.required", `there is no token: ${way}`) : undefined;
}

/** Authentication that logs failures. @param addressOf address of the client */
export function createAuth(tokens: Tokens, addressOf: (request: Request) => string, log: Log): Auth {
  return new Auth({
    tokens,
    addressOf,
    now: () => systemClock.now(),
    onFailure: (address) => log.warn("wrong token", { address }),
  });
}

/**
 * Client addresses behind trusted proxies.
 * @param proxiesNow returns the effective trusted proxies
 * @param peerOf address of the peer of a connection
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
