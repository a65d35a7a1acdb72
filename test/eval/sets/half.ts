// Set 50/50: trained on the first half in time, without labels; the second half is ranked and judged.
import { type Measures, measure, pickScored } from "../measures.ts";
import { type Alarms, countAlarms } from "../metrics/alarms.ts";
import { orderBy } from "../metrics/scored.ts";
import { peers, WINDOW } from "../peers/index.ts";
import { observedFrom, type Series } from "../series.ts";
import { evaluate, type Torus } from "../torus.ts";
import { flagObserved, rangeOf, type Subject, trainBefore } from "./subject.ts";

export interface HalfEntry {
  readonly series: string;
  readonly group: string;
  readonly detector: string;
  /** Of the training; absent for peers, which need none. */
  readonly seed?: number;
  /** Absent where nothing is labelled in the second half. */
  readonly measures?: Measures;
  readonly alarms?: Alarms;
  readonly trainSeconds?: number;
  readonly scoreSeconds?: number;
  readonly points: number;
}

/** The peers on one series. */
export function runHalfPeers(series: Series): HalfEntry[] {
  const half = series.values.length >> 1;
  return Object.entries(peers).map(([detector, peer]) => toEntry(series, detector, peer(series, half)));
}

/** Torus on one series and seed: ranked as well as the answer allows, by score or density alone, and looking back. */
export async function runHalf(torus: Torus, subject: Subject): Promise<HalfEntry[]> {
  const { series, seed } = subject;
  const half = series.values.length >> 1;
  const trained = await trainBefore(torus, subject, { purpose: "half", grid: series, trainTo: half });
  const range = rangeOf(series, half, series.values.length);
  const evaluation = await evaluate(torus, trained, range);
  const batch = await evaluate(torus, trained, { ...range, mode: "batch" });
  const { score, nll, rangeScore, flags } = evaluation;
  const alarms = countAlarms(flagObserved(series, flags, half), { margin: WINDOW, stepSeconds: series.step });
  const place = (statistic: Float64Array) => {
    const whole = new Float64Array(series.values.length).fill(Number.NaN);
    whole.set(statistic, half);
    return whole;
  };
  const times = { trainSeconds: trained.seconds, scoreSeconds: evaluation.seconds };
  return [
    { ...toEntry(series, "Torus", place(orderBy(score, nll))), seed, alarms, ...times },
    { ...toEntry(series, "Torus, score alone", place(score)), seed },
    { ...toEntry(series, "Torus, density alone", place(nll)), seed },
    { ...toEntry(series, "Torus, range score", place(rangeScore)), seed },
    { ...toEntry(series, "Torus, batch", place(orderBy(batch.score, batch.nll))), seed },
  ];
}

function toEntry(series: Series, detector: string, statistic: Float64Array): HalfEntry {
  const observed = observedFrom(series, series.values.length >> 1);
  const measures = measure(pickScored(series.labels, statistic, observed));
  const { name, group } = series;
  return { series: name, group, detector, points: observed.length, ...(measures && { measures }) };
}
