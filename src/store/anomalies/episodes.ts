// SQL of episodes: anomalies from start to end, with peak, origin and feedback.
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Confidence } from "../../core/anomaly/confidence.ts";
import type { EventSubject, FeatureReport } from "../../core/anomaly/event.ts";
import type { Feedback } from "../../core/anomaly/feedback.ts";
import type { Span } from "../../core/anomaly/lanes.ts";
import type { Severity } from "../../core/anomaly/severity.ts";
import { TorusError } from "../../core/errors.ts";
import type { Range } from "../../core/series/grid.ts";
import type { Store } from "../db/open.ts";
import { countOf } from "../db/pages.ts";
import { episodes, models } from "../db/schema.ts";
import { announce, read, type Tx, writeUncached } from "../db/transaction.ts";
import { hasTags } from "../fleets/series-tags.ts";

type Features = Readonly<Record<string, FeatureReport>>;

export interface EpisodeRow {
  /** UUID. */
  readonly id: string;
  readonly model: string;
  /** Start of the interval that started it, ms since the epoch. */
  readonly startAt: number;
  /** Start of the interval that ended it; null while it lasts. */
  readonly endAt: number | null;
  readonly peakScore: number;
  /** Contributing features at the start, and at the peak. */
  readonly features: Features;
  readonly peak: Features;
  /** The highest it reached; null in episodes of an older version. */
  readonly severity: Severity | null;
  /** Of the score at the start; null in episodes of an older version, and of evaluations and backtests. */
  readonly confidence: Confidence | null;
  /** Reason of an end without a low score. */
  readonly closedBy: string | null;
  /** Detection that found it. */
  readonly origin: EpisodeOrigin;
  /** Tags of the series of a fleet; null: of the model. */
  readonly series: Readonly<Record<string, string>> | null;
  /** `fleet`: of many series at once. */
  readonly scope: "fleet" | null;
  /** Of scope `fleet`: share of the series that are anomalous, 0..1. */
  readonly share: number | null;
  /** The last feedback of users. */
  readonly feedback: Feedback | null;
}

export const episodeOrigins = ["live", "evaluation", "backtest"] as const;
export type EpisodeOrigin = (typeof episodeOrigins)[number];

type NewEpisode = Omit<
  EpisodeRow,
  "endAt" | "confidence" | "closedBy" | "origin" | "feedback" | keyof EventSubject
> &
  EventSubject & { readonly confidence?: Confidence };

/** Change of an episode by an evaluation. */
export type EpisodeChange =
  | { readonly change: "open"; readonly episode: NewEpisode }
  | {
      readonly change: "peak";
      readonly id: string;
      readonly peakScore: number;
      readonly peak: Features;
      readonly severity: Severity;
    }
  | { readonly change: "severity"; readonly id: string; readonly severity: Severity }
  | {
      readonly change: "close";
      readonly id: string;
      readonly endAt: number;
      /** Reason of an end without a low score. */
      readonly closedBy?: string;
    };

/** Applies changes in their order; ended episodes do not change. */
export async function changeEpisodes(tx: Tx, changes: readonly EpisodeChange[]): Promise<void> {
  for (const change of changes) {
    if (change.change === "open")
      await tx
        .insert(episodes)
        .values({ ...change.episode, endAt: null })
        .run();
    else await patchOpen(tx, change);
  }
}

async function patchOpen(tx: Tx, change: Exclude<EpisodeChange, { change: "open" }>): Promise<void> {
  const { change: kind, id, ...patch } = change;
  await tx
    .update(episodes)
    .set(kind === "peak" ? { ...patch, peak: { ...change.peak } } : patch)
    .where(and(eq(episodes.id, id), isNull(episodes.endAt)))
    .run();
}

interface Closing {
  readonly at: number;
  readonly closedBy: string;
}

/** Ends the open episodes of a model, not before their start, as the clock may have been set back. @returns them */
export async function closeOpenEpisodes(
  tx: Tx,
  model: string,
  { at, closedBy }: Closing,
): Promise<EpisodeRow[]> {
  const rows = await tx
    .update(episodes)
    .set({
      endAt: sql`case when ${episodes.startAt} > ${at} then ${episodes.startAt} else ${at} end`,
      closedBy,
    })
    .where(and(eq(episodes.model, model), isNull(episodes.endAt)))
    .returning()
    .all();
  for (const { id, endAt } of rows)
    announce(tx, { type: "anomaly", model, id, step: "end", ...(endAt !== null && { endAt }) });
  return rows.map(toEpisode);
}

/**
 * Sets the feedback of an episode.
 * @param feedback null: withdrawn
 * @throws TorusError `not_found`, also for an episode of another model
 */
export function saveFeedback(
  store: Store,
  { model, id }: { model: string; id: string },
  feedback: Feedback | null,
): Promise<void> {
  return writeUncached(store, async (tx) => {
    const changed = await tx
      .update(episodes)
      .set({ feedback: feedback && { ...feedback } })
      .where(and(eq(episodes.id, id), eq(episodes.model, model)))
      .returning({ id: episodes.id })
      .all();
    const anomaly = feedback?.anomaly ?? null;
    if (changed.length > 0) return announce(tx, { type: "anomaly", model, id, step: "feedback", anomaly });
    const way = "GET /models/<model>/anomalies lists those there are";
    throw new TorusError("not_found", `model ${model} has no anomaly ${id.slice(0, 64)}; ${way}`);
  });
}

/** @throws TorusError `not_found` */
export function loadEpisode(store: Store, id: string): Promise<EpisodeRow> {
  return read(store, async (db) => {
    const row = await db.select().from(episodes).where(eq(episodes.id, id)).get();
    if (row) return toEpisode(row);
    throw new TorusError("not_found", `there is no anomaly ${id.slice(0, 64)}; GET /anomalies lists them`);
  });
}

export interface EpisodeQuery {
  /** Absent: of all models, deleted ones included. */
  readonly model?: string;
  readonly models?: readonly string[];
  /** Whether they have feedback. */
  readonly judged?: boolean;
  /** Only those that overlap the range, ms since the epoch; either end may be open. */
  readonly fromAt?: number;
  readonly toAt?: number;
  /** `open`: in progress. */
  readonly state?: "open" | "closed";
  /** Detection that found them. */
  readonly origin?: EpisodeOrigin;
  /** Least peak score, 0..100. */
  readonly minScore?: number;
  /** Tags that the series must have, all of them. */
  readonly series?: Readonly<Record<string, string>>;
  /** `fleet`: those of many series at once. */
  readonly scope?: "fleet";
  /** Absent: all. */
  readonly page?: { readonly from: number; readonly to: number };
}

/** Newest start first. */
export function listEpisodes(store: Store, { page, ...query }: EpisodeQuery): Promise<EpisodeRow[]> {
  return read(store, async (db) => {
    const sorted = db
      .select()
      .from(episodes)
      .where(whereOf(query))
      .orderBy(desc(episodes.startAt), desc(episodes.id));
    const rows = page
      ? await sorted
          .limit(page.to - page.from)
          .offset(page.from)
          .all()
      : await sorted.all();
    return rows.map(toEpisode);
  });
}

/** The newest episodes, without their features. */
export function listSpans(store: Store, query: Omit<EpisodeQuery, "page">, limit: number): Promise<Span[]> {
  const { model, startAt, endAt, peakScore } = episodes;
  return read(store, (db) =>
    db
      .select({ model, startAt, endAt, peakScore })
      .from(episodes)
      .where(whereOf(query))
      .orderBy(desc(startAt))
      .limit(limit)
      .all(),
  );
}

/** Number of episodes on all pages. */
export function countEpisodes(store: Store, query: Omit<EpisodeQuery, "page">): Promise<number> {
  return read(store, (db) => countOf(db, episodes, whereOf(query)));
}

/** Condition of a query. */
export function whereOf({
  model,
  models: list,
  judged,
  fromAt,
  toAt,
  ...rest
}: EpisodeQuery): SQL | undefined {
  const { state, origin, minScore, series, scope } = rest;
  return and(
    model === undefined ? undefined : eq(episodes.model, model),
    list && inArray(episodes.model, [...list]),
    judged === undefined ? undefined : judged ? isNotNull(episodes.feedback) : isNull(episodes.feedback),
    toAt === undefined ? undefined : lt(episodes.startAt, toAt),
    // The end is exclusive; an episode of a single interval overlaps at its start.
    fromAt === undefined
      ? undefined
      : or(isNull(episodes.endAt), gt(episodes.endAt, fromAt), eq(episodes.startAt, fromAt)),
    state && (state === "open" ? isNull(episodes.endAt) : isNotNull(episodes.endAt)),
    origin && eq(episodes.origin, origin),
    minScore === undefined ? undefined : gte(episodes.peakScore, minScore),
    series && hasTags(episodes.series, series),
    scope && eq(episodes.scope, scope),
  );
}

interface OwnQuery extends Range {
  readonly model: string;
  /** How long before the creation of the model its first episode may have started. */
  readonly leadMs: number;
  /** Only those of series with all of these tags. */
  readonly series?: Readonly<Record<string, string>>;
}

/** Episodes of a range, oldest first, of the current model, without those of deleted models of its name. */
export function listOwnEpisodes(
  store: Store,
  { model, leadMs, fromAt, toAt, series }: OwnQuery,
): Promise<EpisodeRow[]> {
  return read(store, async (db) =>
    (
      await db
        .select({ episode: episodes })
        .from(episodes)
        .innerJoin(models, eq(models.name, episodes.model))
        .where(
          and(
            eq(episodes.model, model),
            gte(episodes.startAt, sql`${models.createdAt} - ${leadMs}`),
            lt(episodes.startAt, toAt),
            or(isNull(episodes.endAt), gte(episodes.endAt, fromAt)),
            // Past episodes count in trainings only with feedback.
            or(eq(episodes.origin, "live"), isNotNull(episodes.feedback)),
            series && hasTags(episodes.series, series),
          ),
        )
        .orderBy(asc(episodes.startAt), asc(episodes.id))
        .all()
    ).map(({ episode }) => toEpisode(episode)),
  );
}

/** JSON columns were written from the same types. */
export function toEpisode(row: typeof episodes.$inferSelect): EpisodeRow {
  return row as EpisodeRow;
}
