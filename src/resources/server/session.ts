// Session: rights of the sender, and the settings of the server that clients depend on.
import type { SessionView } from "../../api/server/session.ts";
import type { Principal } from "../../core/access/token.ts";
import { formatDate } from "../../core/time/time.ts";
import type { Limits } from "../shared/range.ts";
import type { Tokens } from "../tokens/index.ts";

/** Settings of the server, as they are in effect. */
export interface SessionFacts {
  readonly timezone: string;
  readonly externalUrl?: string | undefined;
  readonly hooks: { readonly mail: boolean; readonly exec: boolean; readonly allowPrivate: boolean };
  readonly binMs: number;
  readonly body: { readonly bodyBytes: number; readonly bodyDepth: number };
}

export interface SessionDeps {
  readonly tokens: Pick<Tokens, "isOn" | "expiryOf">;
  readonly version: string;
  /** ms since the epoch */
  readonly startedAt: number;
  readonly limits: Limits;
  /** Read at each request: a reload may change them. */
  readonly facts: () => SessionFacts;
}

export class Session {
  constructor(private readonly deps: SessionDeps) {}

  /** The session of the sender of a request. */
  describe({ scope, token }: Principal): SessionView {
    const { tokens, version, startedAt, limits, facts } = this.deps;
    const { timezone, externalUrl, hooks, binMs, body } = facts();
    const expiresAt = token && tokens.expiryOf(token.name);
    return {
      auth: tokens.isOn,
      scope,
      ...(token && { name: token.name }),
      ...(expiresAt !== undefined && {
        expires_date: formatDate(expiresAt),
        expires_timestamp: expiresAt / 1000,
      }),
      version,
      started_timestamp: startedAt / 1000,
      timezone,
      ...(externalUrl !== undefined && { external_url: externalUrl }),
      hooks: { mail: hooks.mail, exec: hooks.exec, private_networks: hooks.allowPrivate },
      bin_seconds: binMs / 1000,
      limits: {
        body_bytes: body.bodyBytes,
        body_depth: body.bodyDepth,
        points_per_write: limits.pointsPerWrite,
        values_per_read: limits.valuesPerRead,
        values_per_evaluation: limits.valuesPerEvaluation,
        values_per_forecast: limits.valuesPerForecast,
        points_per_series: limits.pointsPerSeries,
      },
    };
  }
}
