// Training of a fleet: networks from a sample of its series, then the fit of each series; short ones are left for later.
import { TorusError } from "../../../core/errors.ts";
import { reportPart } from "../../../core/job.ts";
import { bucketIntervalOf } from "../../../core/model/bucket-interval.ts";
import { fleetRulesOf, type SeriesTags, seriesKeyOf } from "../../../core/model/fleet.ts";
import { describeSeries } from "../../../core/model/series-text.ts";
import { completeRange, type Grid, type Range } from "../../../core/series/grid.ts";
import type { Context, FleetKind, TrainedModel } from "../../../models/kind.ts";
import { countMostObserved, trimToExtent } from "../../../models/stats/extent.ts";
import { pickEvenly } from "../../../models/stats/indices.ts";
import { medianOf } from "../../../models/stats/median.ts";
import { noData, SOURCE_ADVICE } from "../../../points/features.ts";
import { mapConcurrently } from "../../../runtime/concurrent.ts";
import type { NewSeriesFit } from "../../../store/fleets/fit-sets.ts";
import { loadVersion, type NewVersion } from "../../../store/versions.ts";
import type { HandlerContext, HandlerDeps } from "../../queue/handler.ts";
import type { TrainJob } from "../../queue/input.ts";
import { loadSeriesMarks, type MarksOf } from "../feedback.ts";
import { refuseRegression } from "../retrain-guard.ts";
import { adviseOnShortage } from "../shortage.ts";
import { listSeries, type OpenHistories, openHistories, type ReadHistory } from "./histories.ts";

/** Series that the retrain guard judges, drawn evenly. */
const MAX_JUDGED = 12;
/** Work of the networks, in fits of a series. */
const NETWORK_FITS = 60;
/** Share of the reading in that of the networks. */
const READ_SHARE = 0.1;

interface TrainedFleet extends NewVersion {
  readonly series: readonly NewSeriesFit[];
  /** Why it must not take over; absent where it may. */
  readonly refused?: string;
}

/** A series to train on, without the empty intervals at both ends. */
interface Sample {
  readonly grid: Grid;
  readonly excluded: readonly Range[];
}

/**
 * Trains a fleet on whole intervals.
 * @throws TorusError `no_data`, `too_little_data` with the numbers found and needed, `not_supported` where a bucket
 * cannot read by group, `bucket_*`, `worker_crashed`, `canceled`
 */
export async function trainFleet(
  deps: HandlerDeps,
  { settings, model, bucket, ...input }: TrainJob,
  context: HandlerContext,
): Promise<TrainedFleet> {
  const { store, clock, kind, openBucket } = deps;
  const { groupBy, maxSeries } = fleetRulesOf(settings)!;
  const intervalMs = bucketIntervalOf(settings);
  const range = completeRange(input.range, intervalMs, clock.now());
  const { features } = settings;
  const source = { features, bucket, range, intervalMs, groupBy, maxSeries };
  const { signal } = context;
  const { series, truncated, range: occupied } = await listSeries(openBucket, source, signal);
  if (series.length === 0) throw noData(range, SOURCE_ADVICE);
  // Of a part, those without the tag may come first.
  if (!truncated) checkTags(series, groupBy);
  const fleet = kind.fleet;
  const job: FleetTraining = {
    deps,
    input: { ...input, settings, model, bucket },
    range,
    fleet,
    histories: openHistories(openBucket, { ...source, range: occupied }, { series, signal }),
    marksOf: await loadSeriesMarks(store, { model, settings }, range),
  };
  const shared = await trainNetworks(job, series, context);
  const fits = await fitAll(job, { shared, series, groupBy }, context);
  const { weights, parameters } = shared;
  const summary = {
    ...shared.summary,
    // Those of one series, since confidence grows with them.
    ...(fits.length > 0 && { points: medianOf(fits.map(({ points }) => points)) }),
    series_fitted: fits.length,
    series_left: series.length - fits.length,
    ...(truncated && { series_truncated: true }),
  };
  const version = { model, settings, ...range, weights, parameters, summary, series: fits };
  const refused = input.overrides.guard ? await judgeFleet(job, { shared, fits }, context) : undefined;
  return { ...version, ...(refused !== undefined && { refused }) };
}

/** @throws TorusError `no_data` for a tag that no series has: all of them would be one, under an empty value */
function checkTags(series: readonly SeriesTags[], groupBy: readonly string[]): void {
  const missing = groupBy.find((tag) => series.every((tags) => !tags[tag]));
  if (missing !== undefined)
    throw new TorusError(
      "no_data",
      `no point in the range has the tag ${missing} of group_by: check its name`,
    );
}

/** Why the new version must not take over: most of the judged series would be judged worse. */
async function judgeFleet(
  job: FleetTraining,
  { shared, fits }: { readonly shared: TrainedModel; readonly fits: readonly NewSeriesFit[] },
  { signal, onProgress }: HandlerContext,
): Promise<string | undefined> {
  const { deps, fleet, input } = job;
  const { model, settings } = input;
  const guard = { ...deps, context: { compute: deps.compute, signal, onProgress } };
  const judged = drawEvenly(fits, MAX_JUDGED);
  const read = job.histories(judged.map(({ tags }) => tags));
  const reasons: string[] = [];
  for (const { tags, parameters } of judged) {
    const sample = await readSample(job, read, tags);
    const trained = fleet.modelOf(shared, parameters);
    const reason =
      sample && (await refuseRegression(guard, { model, settings, ...sample, trained, series: tags }));
    if (reason !== undefined) reasons.push(`${describeSeries(tags)}: ${reason}`);
  }
  if (2 * reasons.length <= judged.length) return undefined;
  return `${reasons.length} of ${judged.length} series that were judged are worse, as in ${reasons[0]}`;
}

interface FleetTraining {
  readonly deps: HandlerDeps;
  readonly input: TrainJob;
  readonly range: Range;
  readonly fleet: FleetKind;
  readonly histories: OpenHistories;
  readonly marksOf: MarksOf;
}

async function trainNetworks(
  job: FleetTraining,
  series: readonly SeriesTags[],
  { signal, onProgress }: HandlerContext,
): Promise<TrainedModel> {
  const { deps, fleet, range, input } = job;
  const { settings, model } = input;
  const { continueFrom, guard: _, ...overrides } = input.overrides;
  const share = networkShareOf(series.length);
  const drawn = drawEvenly(series, fleet.trainedSeries);
  const samples = await readSamples(job, drawn, reportPart(onProgress, { from: 0, to: share * READ_SHARE }));
  if (samples.length === 0) throw noData(range, SOURCE_ADVICE);
  const from = continueFrom === undefined ? undefined : await loadVersion(deps.store, model, continueFrom);
  const context = {
    compute: deps.compute,
    signal,
    onProgress: reportPart(onProgress, { from: share * READ_SHARE, to: share }),
  };
  try {
    return await fleet.train(
      {
        settings,
        series: samples.map(({ grid }) => grid),
        excluded: samples.map(({ excluded }) => excluded),
        overrides: { ...overrides, ...(from && { from }) },
      },
      context,
    );
  } catch (error) {
    const longest = samples.toSorted((a, b) => b.grid.length - a.grid.length)[0]!;
    throw adviseOnShortage(error, { range, ...longest, nowAt: deps.clock.now() });
  }
}

/** Of the series that have points. */
async function readSamples(
  job: FleetTraining,
  drawn: readonly SeriesTags[],
  onProgress: HandlerContext["onProgress"],
): Promise<Sample[]> {
  const read = job.histories(drawn);
  const samples: Sample[] = [];
  for (const [done, tags] of drawn.entries()) {
    onProgress({ phase: "read", series: done, max_series: drawn.length, fraction: done / drawn.length });
    const sample = await readSample(job, read, tags);
    if (sample) samples.push(sample);
  }
  return samples;
}

interface FitPlan {
  readonly shared: TrainedModel;
  readonly series: readonly SeriesTags[];
  readonly groupBy: readonly string[];
}

/** Fits the series; those with too few points are fitted once live detection has seen enough. */
async function fitAll(
  job: FleetTraining,
  { shared, series, groupBy }: FitPlan,
  { signal, onProgress }: HandlerContext,
): Promise<readonly NewSeriesFit[]> {
  const { compute } = job.deps;
  const read = job.histories(series);
  const fitting = reportPart(onProgress, { from: networkShareOf(series.length), to: 1 });
  let done = 0;
  const report = () =>
    fitting({ phase: "fit", series: done, max_series: series.length, fraction: done / series.length });
  report();
  const fits = await mapConcurrently(series, compute.trainingLanes, async (tags) => {
    const context = { compute, signal, onProgress: () => {} };
    const fit = await fitSeries(job, { shared, tags, groupBy, read }, context);
    done++;
    report();
    return fit;
  });
  return fits.filter((fit) => fit !== undefined);
}

interface SeriesPlan extends Omit<FitPlan, "series"> {
  readonly tags: SeriesTags;
  readonly read: ReadHistory;
}

async function fitSeries(
  job: FleetTraining,
  { shared, tags, groupBy, read }: SeriesPlan,
  context: Context,
): Promise<NewSeriesFit | undefined> {
  const { fleet, input } = job;
  const { settings } = input;
  const sample = await readSample(job, read, tags);
  if (!sample) return undefined;
  const { grid } = sample;
  try {
    const marks = job.marksOf(tags, rangeOf(grid));
    const { parameters } = await fleet.fit(shared, { settings, grid, ...marks }, context);
    const points = countMostObserved(grid, settings.features);
    return { key: seriesKeyOf(groupBy, tags), tags, points, parameters };
  } catch (error) {
    if (error instanceof TorusError && (error.code === "too_little_data" || error.code === "no_data"))
      return undefined;
    throw error;
  }
}

async function readSample(
  { input, marksOf }: FleetTraining,
  read: ReadHistory,
  tags: SeriesTags,
): Promise<Sample | undefined> {
  const grid = trimToExtent(await read(tags), input.settings.features);
  return grid && { grid, excluded: marksOf(tags, rangeOf(grid)).excluded };
}

function rangeOf({ startAt, intervalMs, length }: Grid): Range {
  return { fromAt: startAt, toAt: startAt + length * intervalMs };
}

/** At most `limit` of the items, evenly spaced. */
function drawEvenly<T>(items: readonly T[], limit: number): readonly T[] {
  return pickEvenly(items.length, limit).map((i) => items[i]!);
}

/** Share of the progress that the networks take, with the reading of what they are trained on. */
function networkShareOf(series: number): number {
  return NETWORK_FITS / (NETWORK_FITS + series);
}
