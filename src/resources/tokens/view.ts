// Tokens in memory, and their API view.
import type { TokenView } from "../../api/token.ts";
import type { Principal } from "../../core/access/token.ts";
import { formatDate } from "../../core/time/time.ts";
import type { TokenRow } from "../../store/tokens.ts";

export interface Token extends Omit<TokenRow, "digest" | "createdAt"> {
  readonly digest: Buffer;
  /** Null: a token of the settings. */
  readonly createdAt: number | null;
  lastUsedAt: number | null;
  readonly principal: Principal;
}

/** @param nowAt ms since the epoch */
export function isExpired({ expiresAt }: Token, nowAt: number): boolean {
  return expiresAt !== null && expiresAt <= nowAt;
}

/** API view of a token, without its digest; fields that do not apply are absent. @param nowAt ms since the epoch */
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
