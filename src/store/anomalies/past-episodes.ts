// SQL of past episodes, of evaluations and backtests: replaced when their range is evaluated again.
import { and, eq, gt, gte, isNull, lt, ne, or } from "drizzle-orm";
import type { EventSubject, HookEvent } from "../../core/anomaly/event.ts";
import type { Range } from "../../core/series/grid.ts";
import type { Store } from "../db/open.ts";
import { episodes } from "../db/schema.ts";
import { type Tx, write } from "../db/transaction.ts";
import { isOfSeries } from "../fleets/series-tags.ts";
import type { EpisodeOrigin, EpisodeRow } from "./episodes.ts";
import { enqueueEvent } from "./outbox.ts";

/** A closed episode. */
export type PastEpisode = Omit<
  EpisodeRow,
  "endAt" | "confidence" | "feedback" | "origin" | keyof EventSubject
> &
  EventSubject & { readonly endAt: number };

interface PastRecord {
  readonly model: string;
  readonly range: Range;
  /** Tags of the series that was evaluated; absent: of the model. */
  readonly series?: Readonly<Record<string, string>> | undefined;
  readonly origin: Exclude<EpisodeOrigin, "live">;
  /** Oldest first. */
  readonly found: readonly PastEpisode[];
  /** Events of these episodes for hooks; none where hooks are not to be notified. */
  readonly events: readonly HookEvent[];
}

/**
 * Replaces the past episodes of a range, of the model or of one of its series. Episodes of live detection, and those with feedback, stay; new ones that overlap
 * them are left out.
 * @param at now, ms since the epoch
 * @returns number of episodes added
 */
export function replacePast(store: Store, record: PastRecord, at: number): Promise<number> {
  return write(store, async (tx) => {
    await removeEarlier(tx, record);
    const staying = await listOverlapping(tx, record);
    const fresh = record.found.filter((episode) => !staying.some((other) => overlaps(episode, other)));
    for (const episode of fresh)
      await tx
        .insert(episodes)
        .values({ ...episode, series: record.series ?? null, origin: record.origin })
        .run();
    const ids = new Set(fresh.map(({ id }) => id));
    for (const event of record.events) if (ids.has(event.episode)) await enqueueEvent(tx, event, { at });
    return fresh.length;
  });
}

async function removeEarlier(tx: Tx, { model, range, series }: PastRecord): Promise<void> {
  await tx
    .delete(episodes)
    .where(
      and(
        eq(episodes.model, model),
        isOfSeries(episodes.series, series),
        ne(episodes.origin, "live"),
        isNull(episodes.feedback),
        gte(episodes.startAt, range.fromAt),
        lt(episodes.startAt, range.toAt),
      ),
    )
    .run();
}

interface Span {
  readonly startAt: number;
  readonly endAt: number | null;
}

function listOverlapping(tx: Tx, { model, range, series }: PastRecord): Promise<Span[]> {
  return tx
    .select({ startAt: episodes.startAt, endAt: episodes.endAt })
    .from(episodes)
    .where(
      and(
        eq(episodes.model, model),
        isOfSeries(episodes.series, series),
        lt(episodes.startAt, range.toAt),
        or(isNull(episodes.endAt), gt(episodes.endAt, range.fromAt)),
      ),
    )
    .all();
}

function overlaps(episode: Span, other: Span): boolean {
  const ends = (span: Span) => span.endAt ?? Number.POSITIVE_INFINITY;
  return episode.startAt < ends(other) && ends(episode) > other.startAt;
}
