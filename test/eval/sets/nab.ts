// Set NAB: trained on the first 15 % (at most 750 rows), the rest is scored; one threshold for all files.
import { pickScored } from "../measures.ts";
import { type Alarms, countAlarms } from "../metrics/alarms.ts";
import { firstOfBurst } from "../metrics/burst.ts";
import { type NabFile, type NabResult, nabScore, probationOf } from "../metrics/nab.ts";
import { peers, WINDOW } from "../peers/index.ts";
import { causalRank } from "../peers/rank.ts";
import { observedFrom, type Series } from "../series.ts";
import { evaluate, type Torus } from "../torus.ts";
import { flagObserved, rangeOf, type Subject, trainBefore } from "./subject.ts";

const MAX_SCORE = 100;

/** One detector on one file, ready to be judged with the others. */
export interface NabEntry {
  readonly series: string;
  readonly detector: string;
  readonly seed?: number;
  readonly file: NabFile;
  readonly alarms?: Alarms;
  /** Judged points outside of windows with the highest score of all, which no threshold separates from anomalies. */
  readonly saturated?: number;
  readonly trainSeconds?: number;
  readonly scoreSeconds?: number;
}

/** Index of the first interval after probation. */
export function endOfProbation(series: Series): number {
  const observed = observedFrom(series);
  return observed[probationOf(observed.length)]!;
}

/** The peers on one series: raw, and calibrated by rank. */
export function runNabPeers(series: Series): NabEntry[] {
  const trainTo = endOfProbation(series);
  return Object.entries(peers).flatMap(([detector, peer]) => {
    const statistic = peer(series, trainTo);
    return [
      { series: series.name, detector, file: toFile(series, statistic) },
      { series: series.name, detector: `${detector}, ranked`, file: toFile(series, causalRank(statistic)) },
    ];
  });
}

/** Torus on one series and seed: the score it shows, that score once per burst, and its density ranked like the peers. */
export async function runNab(torus: Torus, subject: Subject): Promise<NabEntry[]> {
  const { series, seed } = subject;
  const trainTo = endOfProbation(series);
  const trained = await trainBefore(torus, subject, { purpose: "nab", grid: series, trainTo });
  const learnt = await evaluate(torus, trained, rangeOf(series, 0, trainTo));
  const rest = await evaluate(torus, trained, rangeOf(series, trainTo, series.values.length));
  const flagged = flagObserved(series, rest.flags, trainTo);
  const alarms = countAlarms(flagged, { margin: WINDOW, stepSeconds: series.step });
  const times = { trainSeconds: trained.seconds, scoreSeconds: rest.seconds };
  const density = join(learnt.nll, rest.nll).map((nll) => (Number.isFinite(nll) ? nll : Number.NaN));
  const score = toFile(series, join(learnt.score, rest.score));
  const entry = (detector: string, file: NabFile) => ({ series: series.name, detector, seed, file });
  return [
    { ...entry("Torus", score), alarms, saturated: countSaturated(score), ...times },
    entry("Torus, one alarm per burst", { ...score, scores: firstOfBurst(score.scores, WINDOW) }),
    // A density has the unit of the data: only its ranks can share a threshold.
    entry("Torus, density, ranked", toFile(series, causalRank(density))),
  ];
}

/** Judges the files of each detector together. @returns one result per detector and seed */
export function judgeNab(entries: readonly NabEntry[]): (NabResult & { detector: string; seed?: number })[] {
  const byRun = Map.groupBy(entries, ({ detector, seed }) => `${detector}\n${seed ?? ""}`);
  return [...byRun.values()].flatMap((run) => {
    const result = nabScore(run.map(({ file }) => file));
    const { detector, seed } = run[0]!;
    return result ? [{ detector, ...(seed !== undefined && { seed }), ...result }] : [];
  });
}

function toFile(series: Series, statistic: Float64Array): NabFile {
  const observed = observedFrom(series);
  return { ...pickScored(series.labels, statistic, observed), probation: probationOf(observed.length) };
}

function countSaturated({ labels, scores, probation }: NabFile): number {
  return scores.filter((score, i) => i >= probation && labels[i] === 0 && score >= MAX_SCORE).length;
}

function join(first: Float64Array, second: Float64Array): Float64Array {
  const whole = new Float64Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
