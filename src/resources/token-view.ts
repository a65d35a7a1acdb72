// A token as the service knows it while it runs, and as clients see it.
import { formatDate } from "../core/time.ts";
import type { Principal } from "../core/token.ts";
import type { TokenRow } from "../store/tokens.ts";

/** A token in memory. */
export interface Token extends Omit<TokenRow, "digest" | "createdAt"> {
  readonly digest: Buffer;
  /** Null: of the settings. */
  readonly createdAt: number | null;
  lastUsedAt: number | null;
  readonly principal: Principal;
}

/** @param nowAt ms since the epoch */
export function isExpired({ expiresAt }: Token, nowAt: number): boolean {
  return expiresAt !== null && expiresAt <= nowAt;
}

/** The view of a token: everything but its digest. What does not apply is absent. */
export function viewToken(token: Token, nowAt: number): object {
  const { name, scope, createdAt, lastUsedAt, expiresAt } = token;
  return {
    name,
    scope,
    ...(createdAt === null && { configured: true }),
    ...(isExpired(token, nowAt) && { expired: true }),
    ...viewInstant("created", createdAt),
    ...viewInstant("last_used", lastUsedAt),
    ...viewInstant("expires", expiresAt),
  };
}

function viewInstant(name: string, at: number | null): object {
  return at === null ? {} : { [`${name}_date`]: formatDate(at), [`${name}_timestamp`]: at / 1000 };
}
