// Movers: the series that began to deviate in a window, with onset and past, read from recorded scores.

import type { ModelSettings } from "../../core/model/model.ts";
import { onsetOf, rarityOfRarest } from "../../core/related/onset.ts";
import { strongBefore } from "../../core/related/scored-series.ts";
import type { Tags } from "../../core/related/tags.ts";
import type { ShownMover } from "../../core/related/view.ts";
import { countTogether, deviationAt, pastOf, strongestIn } from "../../core/related/window.ts";
import type { Range } from "../../core/series/grid.ts";
import { groupValuesOf } from "../../core/series/grouped-grid.ts";
import { toColumns } from "../../core/series/score-run.ts";
import { DAY_MS } from "../../core/time/time.ts";
import { rarityOfScore } from "../../models/scoring/score.ts";
import {
  findFirstDeviation,
  listDeviations,
  listDeviationsOf,
  type ScoredSubject,
  type StoredDeviation,
} from "../../store/anomalies/deviations.ts";
import { listScoresOf } from "../../store/anomalies/scores.ts";
import type { Store } from "../../store/db/open.ts";
import { listLiveOf } from "../../store/live.ts";
import { type ModelRow, readModels } from "../../store/models.ts";
import { tagsOfModel } from "./population.ts";

/** Deviations of a window that are looked at, the strongest; a series may have several. */
const MAX_DEVIATIONS = 5000;
/** Series that are ranked: the strongest. */
const MAX_MOVERS = 200;
/** History that tells how rare a deviation is. */
const PAST_MS = 30 * DAY_MS;

/** A series that moved, and its deviation. */
export interface StoredMover extends ShownMover, Pick<StoredDeviation, "model" | "series" | "feature"> {}

export interface FoundMovers {
  /** The strongest, without the subject. */
  readonly movers: readonly StoredMover[];
  /** The subject itself, where it deviated in the window. */
  readonly own?: StoredMover;
  /** Number of series that moved. */
  readonly moved: number;
}

interface MoversQuery {
  readonly window: Range;
  /** Series of the anomaly; it is not among the movers. */
  readonly subject?: ScoredSubject | undefined;
  /** Start of the anomaly, ms since the epoch; absent: of a range. */
  readonly nearAt?: number | undefined;
  /** Only series with these tags. */
  readonly tags?: Tags | undefined;
}

export async function readMovers(store: Store, query: MoversQuery): Promise<FoundMovers> {
  const { window, subject, tags } = query;
  const all = chooseBySubject(await listDeviations(store, window, MAX_DEVIATIONS), query);
  const subjectKey = subject && keyOf(subject);
  const isOwn = ({ key }: { readonly key: string }) => key === subjectKey;
  // The tags of all are looked at only if asked for: models are many, and their settings large.
  const wanted = tags ? (await place(store, all)).filter((one) => hasAll(one.tags, tags)) : all;
  const others = wanted.filter((one) => !isOwn(one)).slice(0, MAX_MOVERS);
  const chosen = await place(store, [...all.filter(isOwn), ...others]);
  const found = await describe(store, chosen, { window, subject });
  const own = chosen.findIndex(isOwn);
  return {
    movers: found.filter((_, i) => i !== own),
    ...(own >= 0 && { own: found[own]! }),
    moved: wanted.length,
  };
}

/** The series of an anomaly in its window, and its strong deviations before. */
export async function readOwn(
  store: Store,
  {
    window,
    subject,
    startAt,
  }: { readonly window: Range; readonly subject: ScoredSubject; readonly startAt: number },
) {
  const earlier = await readEarlier(store, subject, window.fromAt);
  const [all = []] = await listDeviationsOf(store, [subject], window);
  const found = deviationAt(all, startAt);
  if (!found) return { earlier };
  const chosen = await place(store, [{ key: keyOf(subject), deviation: found }]);
  const [own] = await describe(store, chosen, { window, subject });
  return { earlier, ...(own && { own }) };
}

interface Keyed {
  readonly key: string;
  readonly deviation: StoredDeviation;
}

interface Placed extends Keyed {
  readonly row: ModelRow;
  readonly tags: Tags;
}

/** With model and tags; those of models that are gone are left out. */
async function place(store: Store, all: readonly Keyed[]): Promise<Placed[]> {
  const models = await readModels(store, [...new Set(all.map(({ deviation }) => deviation.model))]);
  return all.flatMap(({ key, deviation }) => {
    const row = models.get(deviation.model);
    return row ? [{ key, deviation, row, tags: tagsOfSubject(row, deviation) }] : [];
  });
}

/** One of each series, that of the strongest first, as `all` is sorted; of the subject that of the anomaly, if any. */
function chooseBySubject(
  all: readonly StoredDeviation[],
  { window, subject, nearAt }: MoversQuery,
): readonly Keyed[] {
  const ownKey = subject && keyOf(subject);
  return [...Map.groupBy(all, keyOf)].flatMap(([key, own]) => {
    const isOwn = key === ownKey && nearAt !== undefined;
    const deviation = isOwn ? deviationAt(own, nearAt) : strongestIn(own, window, nearAt);
    return deviation ? [{ key, deviation }] : [];
  });
}

async function describe(
  store: Store,
  chosen: readonly Placed[],
  { window, subject }: Pick<MoversQuery, "window" | "subject">,
): Promise<StoredMover[]> {
  const { fromAt, toAt } = window;
  const subjects = chosen.map(({ deviation: { model, series } }) => ({ model, series }));
  const names = [...new Set(subjects.map(({ model }) => model))];
  const [first = fromAt, live, before, earlier] = await Promise.all([
    findFirstDeviation(store),
    listLiveOf(store, names),
    listDeviationsOf(store, subjects, { fromAt: fromAt - PAST_MS, toAt: fromAt }),
    subject ? readEarlier(store, subject, fromAt) : [],
  ]);
  const startedAt = new Map(live.map(({ model, startedAt }) => [model, startedAt]));
  const rarities = await readRarities(store, chosen, fromAt);
  return chosen.map(({ deviation, tags, row }, i): StoredMover => {
    const { model, series, feature, type, startAt, intervalMs, peak } = deviation;
    const sinceAt = Math.min(
      fromAt - intervalMs,
      Math.max(fromAt - PAST_MS, first, startedAt.get(model) ?? 0),
    );
    const onset = rarities[i]!.firstAt + onsetOf(rarities[i]!.values) * intervalMs;
    return {
      ...{ model, series, feature, type, tags, startAt, intervalMs, peak },
      onsetAt: Math.min(onset, startAt),
      features: row.settings.features.length,
      past: pastOf(before[i]!, { fromAt, sinceAt }),
      together: countTogether(earlier, before[i]!, toAt - fromAt),
    };
  });
}

/** Strong deviations of the series of the anomaly before the window. */
async function readEarlier(store: Store, subject: ScoredSubject, fromAt: number) {
  const [own = []] = await listDeviationsOf(store, [subject], { fromAt: fromAt - PAST_MS, toAt: fromAt });
  return strongBefore(own, fromAt);
}

/** Rarities of one feature or more: of each interval that of the rarest, as the rarest of so many. */
interface Rarities {
  /** Start of the first interval, ms since the epoch. */
  readonly firstAt: number;
  /** NaN where none are recorded. */
  readonly values: Float64Array;
}

/** Rarities from the start of the window up to the first rare interval, of each. */
async function readRarities(store: Store, all: readonly Placed[], fromAt: number): Promise<Rarities[]> {
  const queries = all.map(({ deviation: { model, series, startAt, intervalMs } }) => {
    const firstAt = startAt - Math.floor((startAt - fromAt) / intervalMs) * intervalMs;
    return { model, series, intervalMs, fromAt: firstAt, toAt: startAt + intervalMs };
  });
  const found = await listScoresOf(store, queries);
  return all.map(({ row: { settings } }, i) => {
    const { fromAt: firstAt, toAt, intervalMs } = queries[i]!;
    const values = new Float64Array((toAt - firstAt) / intervalMs).fill(Number.NaN);
    for (const { name: feature } of settings.features) {
      const columns = { feature, startAt: firstAt, intervalMs, length: values.length };
      raise(values, toColumns(found[i]!, columns).score, settings.score_scale);
    }
    const { length } = settings.features;
    return { firstAt, values: values.map((rarity) => rarityOfRarest(rarity, length)) };
  });
}

/** Raises rarities to those of scores. */
function raise(rarities: Float64Array, scores: Float64Array, scale: ModelSettings["score_scale"]): void {
  for (const [i, score] of scores.entries()) {
    if (Number.isNaN(score)) continue;
    const rarity = rarityOfScore(score, scale);
    if (!(rarities[i]! >= rarity)) rarities[i] = rarity;
  }
}

function keyOf({ model, series }: ScoredSubject): string {
  return `${model}\n${series ?? ""}`;
}

/** Tags of a model's features, or of the series. */
export function tagsOfSubject({ settings }: Pick<ModelRow, "settings">, { series }: ScoredSubject): Tags {
  if (series == null) return tagsOfModel(settings);
  const values = groupValuesOf(series);
  return Object.fromEntries((settings.group_by ?? []).map((tag, i) => [tag, values[i] ?? ""]));
}

function hasAll(own: Tags, wanted: Tags): boolean {
  return Object.entries(wanted).every(([tag, value]) => own[tag] === value);
}
