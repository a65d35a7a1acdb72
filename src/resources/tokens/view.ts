// A token as the service knows it while it runs, and as clients see it.
import type { TokenView } from "../../api/token.ts";
import type { Principal } from "../../core/access/token.ts";
import { formatDate } from "../../core/time/time.ts";
import type { TokenRow } from "../../store/tokens.ts";

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
export function viewToken(token: Token, nowAt: number): TokenView {
  const { name, scope, createdAt, lastUsedAt, expiresAt } = token;
  return {
    name,
    scope,
    ...(createdAt === null && { configured: true }),
    ...(isExpired(token, nowAt) && { expired: true }),
    ...(createdAt !== null && { created_date: formatDate(createdAt), created_timestamp: createdAt / 1000 }),
    ...(lastUsedAt !== null && {
      last_used_date: formatDate(lastUsedAt),
      last_used_timestamp: lastUsedAt / 1000,
    }),
    ...(expiresAt !== null && { expires_date: formatDate(expiresAt), expires_timestamp: expiresAt / 1000 }),
  };
}
