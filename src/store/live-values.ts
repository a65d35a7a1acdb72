// SQL of the last values of live models and their series, in pages, for scrapes.
import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { LastValues } from "../core/series/last-values.ts";
import type { Db } from "./db/database.ts";
import type { Store } from "./db/open.ts";
import { readInPages } from "./db/pages.ts";
import { prepareOnce } from "./db/prepared.ts";
import { live, liveSeries, liveSeriesStates } from "./db/schema.ts";
import { read } from "./db/transaction.ts";
import type { LiveSeriesRow } from "./fleets/live-series.ts";

/** Some 10 ms. */
const PAGE_ROWS = 500;

/** A live model after its last evaluation. */
export interface LiveValues {
  readonly model: string;
  /** End (exclusive) of the last window that was evaluated, ms; null until there was one. */
  readonly windowAt: number | null;
  /** Absent before the first score. */
  readonly last?: LastValues & { readonly score: number | null };
  /** Whether an anomaly is in progress. */
  readonly isAnomalous: boolean;
  /** Series of a fleet with an anomaly in progress; 0 of other models. */
  readonly anomalousSeries: number;
  /** Whether points are missing for too long. */
  readonly isSilent: boolean;
  /** Of `offset: auto`, ms; 0 until it is known. */
  readonly offsetMs: number;
}

/** All live models, by name. */
export function readLiveValues(store: Store): AsyncGenerator<readonly LiveValues[]> {
  return readInPages({
    size: PAGE_ROWS,
    readBeyond: (after = "") =>
      read(store, async (db) => (await prepareOnce(db, selectModels).all({ after })).map(toValues)),
    keyOf: ({ model }) => model,
  });
}

type SeriesValues = Pick<LiveSeriesRow, "key" | "tags" | "status" | "score" | "windowAt" | "last"> & {
  /** The anomaly in progress of a silent series; null: none, or not silent. */
  readonly heldEpisode: string | null;
};

/** The series of a live model, by key. */
export function readSeriesValues(store: Store, model: string): AsyncGenerator<readonly SeriesValues[]> {
  return readInPages({
    size: PAGE_ROWS,
    readBeyond: (after = "") => read(store, (db) => prepareOnce(db, selectSeries).all({ model, after })),
    keyOf: ({ key }) => key,
  });
}

const { placeholder } = sql;

const selectModels = (db: Db) =>
  db
    .select({
      model: live.model,
      windowAt: live.lastWindowAt,
      last: sql<string | null>`json_extract(${live.state}, '$.last')`,
      episode: sql<string | null>`json_extract(${live.state}, '$.episode.id')`,
      silence: sql<
        string | null
      >`coalesce(json_extract(${live.state}, '$.quiet.isSilent'), json_extract(${live.state}, '$.conditions.silence.id'))`,
      anomalousSeries: sql<number | null>`json_extract(${live.state}, '$.fleet.anomalous')`,
      offsetMs: sql<number | null>`json_extract(${live.state}, '$.offsetMs')`,
    })
    .from(live)
    .where(gt(live.model, placeholder("after")))
    .orderBy(asc(live.model))
    .limit(PAGE_ROWS)
    .prepare();

const selectSeries = (db: Db) => {
  const { model, key, tags, status, score, windowAt, last } = liveSeries;
  const states = liveSeriesStates;
  const heldEpisode = sql<string | null>`json_extract(${states.state}, '$.episode.id')`;
  return db
    .select({ key, tags, status, score, windowAt, last, heldEpisode })
    .from(liveSeries)
    .leftJoin(states, and(eq(states.model, model), eq(states.key, key), eq(status, "silent")))
    .where(and(eq(model, placeholder("model")), gt(key, placeholder("after"))))
    .orderBy(asc(key))
    .limit(PAGE_ROWS)
    .prepare();
};

type ModelRow = Awaited<ReturnType<ReturnType<typeof selectModels>["all"]>>[number];

function toValues({
  model,
  windowAt,
  last,
  episode,
  silence,
  offsetMs,
  anomalousSeries,
}: ModelRow): LiveValues {
  return {
    model,
    windowAt,
    ...(last !== null && { last: JSON.parse(last) }),
    isAnomalous: episode !== null,
    anomalousSeries: Number(anomalousSeries ?? 0),
    isSilent: silence !== null,
    offsetMs: Number(offsetMs ?? 0),
  };
}
