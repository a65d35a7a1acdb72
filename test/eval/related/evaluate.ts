// Evaluation of probable causes in generated systems, beside the highest score and the first over a threshold.

import type { Mover } from "../../../src/core/related/chance.ts";
import { type Deviation, findDeviations } from "../../../src/core/related/deviation.ts";
import { onsetOf } from "../../../src/core/related/onset.ts";
import { rankMovers } from "../../../src/core/related/rank.ts";
import { TagCounts } from "../../../src/core/related/tags.ts";
import { countTogether, pastOf, strongestIn, windowAround } from "../../../src/core/related/window.ts";
import { detectBatch } from "../../../src/models/stateless/batch.ts";
import { DAY, INTERVAL_MS, type Series, type System } from "./system.ts";

interface Scored {
  readonly tags: Series["tags"];
  readonly rarities: Float64Array;
  readonly deviations: readonly Deviation[];
}

interface Found extends Mover {
  readonly index: number;
}

const options = { period: DAY, sensitivity: 95, maxAnomalyRatio: 0.25, anomalyType: "low_high" } as const;

export async function scoreSystem({ series }: System): Promise<Scored[]> {
  const signal = new AbortController().signal;
  const scored: Scored[] = [];
  for (const { tags, values } of series) {
    const { rarity: rarities, expected } = await detectBatch({ ...options, column: values }, signal);
    const points = Array.from(rarities, (rarity, i) => ({
      ...{ at: i * INTERVAL_MS, rarity, feature: "value" },
      type: values[i]! > expected[i]! ? ("high" as const) : ("low" as const),
    }));
    scored.push({ tags, rarities, deviations: findDeviations(points, INTERVAL_MS) });
  }
  return scored;
}

/** What moved in the window around an instant. */
export function moversAt(scored: readonly Scored[], at: number, target?: number): Found[] {
  const window = windowAround(at, INTERVAL_MS);
  const windowMs = window.toAt - window.fromAt;
  const past =
    target === undefined ? [] : scored[target]!.deviations.filter(({ startAt }) => startAt < window.fromAt);
  return scored.flatMap(({ tags, rarities, deviations }, index) => {
    const found = strongestIn(deviations, window);
    if (!found) return [];
    const from = Math.max(0, Math.round(window.fromAt / INTERVAL_MS));
    const first = Math.round(found.startAt / INTERVAL_MS);
    const onset = from + onsetOf(rarities.subarray(from, first + 1));
    const together = countTogether(past.filter(({ peak }) => peak >= 3.5).slice(-30), deviations, windowMs);
    return [
      {
        ...{ index, tags, onsetAt: onset * INTERVAL_MS, intervalMs: INTERVAL_MS, peak: found.peak },
        past: pastOf(deviations, { fromAt: window.fromAt, sinceAt: 0 }),
        together,
      },
    ];
  });
}

export interface Tally {
  incidents: number;
  unseen: number;
  first: number;
  three: number;
  highest: number;
  earliest: number;
  coincidences: number;
  none: number;
}

export const emptyTally = (): Tally => ({
  ...{ incidents: 0, unseen: 0, first: 0, three: 0, highest: 0, earliest: 0, coincidences: 0, none: 0 },
});

export function judgeSystem(system: System, scored: readonly Scored[], tally: Tally): void {
  const population = new TagCounts();
  for (const { tags } of system.series) population.add(tags);
  const ask = (target: number, at: number) => {
    const window = windowAround(at, INTERVAL_MS);
    const movers = moversAt(scored, at, target);
    const own = movers.find(({ index }) => index === target);
    const others = movers.filter(({ index }) => index !== target);
    const result =
      own && rankMovers({ target: own, movers: others, population, windowMs: window.toAt - window.fromAt });
    return { own, others, result };
  };
  for (const incident of system.incidents) {
    tally.incidents++;
    const anomaly = scored[incident.symptom]!.deviations.find(
      ({ startAt, peak }) => peak >= 3.5 && Math.abs(startAt / INTERVAL_MS - incident.at) <= incident.length,
    );
    if (!anomaly) {
      tally.unseen++;
      continue;
    }
    const { own, others, result } = ask(incident.symptom, anomaly.startAt);
    const isRight = (mover: Found) => mover.tags.service === incident.service;
    const ranked = result!.ranked.map(({ mover }) => mover as Found);
    if (ranked[0] && isRight(ranked[0])) tally.first++;
    if (ranked.slice(0, 3).some(isRight)) tally.three++;
    const all = [...others];
    const highest = all.toSorted((a, b) => b.peak - a.peak)[0];
    if (highest && isRight(highest)) tally.highest++;
    const crossing = ({ index }: Found) =>
      strongestIn(scored[index]!.deviations, windowAround(anomaly.startAt, INTERVAL_MS))!.startAt;
    const earliest = all.filter(({ peak }) => peak >= 4).toSorted((a, b) => crossing(a) - crossing(b))[0];
    if (earliest && isRight(earliest)) tally.earliest++;
    void own;
  }
  for (const { series, at } of system.coincidences) {
    tally.coincidences++;
    const anomaly = scored[series]!.deviations.find(
      ({ startAt }) => Math.abs(startAt / INTERVAL_MS - at) <= 5,
    );
    const found = anomaly && ask(series, anomaly.startAt).result?.ranked.length;
    if (!found) tally.none++;
  }
}
