// One run of the evaluation: series, sets and concurrency.
import type { SetName } from "./arguments.ts";
import { mapConcurrently } from "./concurrent.ts";
import { nabShare } from "./metrics/nab.ts";
import type { Series } from "./series.ts";
import { type ForecastEntry, planForecast, runForecast, runForecastPeers } from "./sets/forecast.ts";
import { type HalfEntry, runHalf, runHalfPeers } from "./sets/half.ts";
import { judgeNab, type NabEntry, runNab, runNabPeers } from "./sets/nab.ts";
import type { Subject } from "./sets/subject.ts";
import { runTrend, runTrendPeer, TREND_GROUP, type TrendEntry } from "./sets/trends.ts";
import { loadSeries, type Torus } from "./torus.ts";

export interface Plan {
  readonly series: readonly Series[];
  readonly sets: ReadonlySet<SetName>;
  readonly seeds: readonly number[];
  /** Trainings side by side. */
  readonly workers: number;
  /** Absent: the peers alone. */
  readonly torus?: Torus;
  readonly onProgress: (text: string) => void;
}

export interface Results {
  readonly half: readonly HalfEntry[];
  readonly nab: ReturnType<typeof judgeNab>;
  /** What each file gave and cost at the threshold of its detector. */
  readonly nabFiles: readonly (Omit<NabEntry, "file"> & ReturnType<typeof nabShare>)[];
  readonly forecast: readonly ForecastEntry[];
  readonly trends: readonly TrendEntry[];
}

interface Collected {
  readonly half: HalfEntry[];
  readonly nab: NabEntry[];
  readonly forecast: ForecastEntry[];
  readonly trends: TrendEntry[];
}

/** Runs the evaluation. @throws errors of the server */
export async function runEvaluation(plan: Plan): Promise<Results> {
  const collected: Collected = { half: [], nab: [], forecast: [], trends: [] };
  for (const series of plan.series) runPeers(plan, series, collected);
  if (plan.torus) await runTorus(plan, plan.torus, collected);
  const nab = judgeNab(collected.nab);
  const nabFiles = collected.nab.map(({ file, ...entry }) => {
    const verdict = nab.find(({ detector, seed }) => detector === entry.detector && seed === entry.seed);
    return { ...entry, ...nabShare(file, verdict?.threshold ?? Number.POSITIVE_INFINITY) };
  });
  return {
    half: byName(collected.half),
    nab,
    nabFiles: byName(nabFiles),
    forecast: byName(collected.forecast),
    trends: byName(collected.trends),
  };
}

const needsHalf = (sets: Plan["sets"]) => sets.has("50/50") || sets.has("false-alarms");

/** Series of the NAB protocol: all but those of the other sets. */
const isNab = ({ group }: Series, sets: Plan["sets"], all: readonly Series[]) =>
  sets.has("nab") && (group === "nab" || all.every((series) => series.group !== "nab"));

/** Injected anomalies would be part of the truth. */
const forecasts = ({ group }: Series, sets: Plan["sets"]) => sets.has("forecast") && group !== "synthetic";

function runPeers({ sets, series: all }: Plan, series: Series, collected: Collected): void {
  if (series.group === TREND_GROUP) {
    if (sets.has("trends")) collected.trends.push(runTrendPeer(series));
    return;
  }
  if (sets.has("50/50")) collected.half.push(...runHalfPeers(series));
  if (isNab(series, sets, all)) collected.nab.push(...runNabPeers(series));
  const task = forecasts(series, sets) ? planForecast(series) : undefined;
  if (task) collected.forecast.push(...runForecastPeers(series, task));
}

/** Longest series first, so that the last one to start is short. */
async function runTorus(plan: Plan, torus: Torus, collected: Collected): Promise<void> {
  const ordered = plan.series.toSorted((a, b) => b.values.length - a.values.length);
  const subjects = await mapConcurrently(ordered, plan.workers, async (series) => ({
    series,
    bucket: await loadSeries(torus, series),
  }));
  const works = plan.seeds.flatMap((seed) =>
    subjects.flatMap((subject) => worksOf(plan, torus, { subject: { ...subject, seed }, collected })),
  );
  let done = 0;
  await mapConcurrently(works, plan.workers, async ({ name, run }) => {
    await run().catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    });
    plan.onProgress(`${++done} of ${works.length}: ${name}`);
  });
}

interface Work {
  readonly name: string;
  readonly run: () => Promise<void>;
}

function worksOf(
  { sets, series: all }: Plan,
  torus: Torus,
  { subject, collected }: { subject: Subject; collected: Collected },
): Work[] {
  const { series, seed } = subject;
  const works: Work[] = [];
  const add = (set: string, run: () => Promise<void>) =>
    works.push({ name: `${set}, ${series.name}, seed ${seed}`, run });
  if (series.group === TREND_GROUP) {
    if (sets.has("trends"))
      add("trends", async () => void collected.trends.push(await runTrend(torus, subject)));
    return works;
  }
  if (needsHalf(sets)) add("50/50", async () => void collected.half.push(...(await runHalf(torus, subject))));
  if (isNab(series, sets, all))
    add("nab", async () => void collected.nab.push(...(await runNab(torus, subject))));
  const task = forecasts(series, sets) ? planForecast(series) : undefined;
  if (task)
    add("forecast", async () => void collected.forecast.push(await runForecast(torus, subject, task)));
  return works;
}

function byName<T extends { readonly series: string; readonly seed?: number }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => a.series.localeCompare(b.series) || (a.seed ?? 0) - (b.seed ?? 0));
}
