// Evaluation of probable causes in generated systems, beside the highest score and the first over a threshold.
import type { Mover } from "../../../src/core/related/chance.ts";
import { rankMovers } from "../../../src/core/related/rank.ts";
import {
  moverIn,
  type ScoredSeries,
  scoreSeries,
  strongBefore,
} from "../../../src/core/related/scored-series.ts";
import { TagCounts } from "../../../src/core/related/tags.ts";
import { strongestIn, windowAround } from "../../../src/core/related/window.ts";
import { scoreFromPast } from "../../../src/models/stateless/past-only.ts";
import { renderTable } from "../table.ts";
import { DAY, INTERVAL_MS, type Incident, makeSystem, type System } from "./system.ts";

/** Systems per seed; incidents, and coincidences, in each. */
const SYSTEMS = 12;
const INCIDENTS = 5;

/** Rarity from which a person is paged, and an anomaly starts, decades. */
const PAGED = 4;
/** Scores end here: all beyond are equal, decades. */
const HIGHEST = 6;
/** Intervals by which a coincidence is found late. */
const LATE = 5;

interface Found extends Mover {
  readonly index: number;
}

/** Scores of all series, as a scan of a bucket has them. */
export async function scoreSystem({ series }: Pick<System, "series">): Promise<ScoredSeries[]> {
  const { signal } = new AbortController();
  const scored: ScoredSeries[] = [];
  for (const { tags, values } of series) {
    const { rarity: rarities, errors } = await scoreFromPast(values, { period: DAY }, signal);
    const own = { tags, startAt: 0, intervalMs: INTERVAL_MS, rarities };
    scored.push(scoreSeries(own, (i) => errors[i]! > 0));
  }
  return scored;
}

export interface Tally {
  /** Incidents whose symptom was found, and those of which it was not. */
  incidents: number;
  unseen: number;
  /** The culprit is first, or among the first three; and first by the highest score, or the earliest start. */
  first: number;
  three: number;
  highest: number;
  earliest: number;
  /** Coincidences, and those for which nothing is named. */
  coincidences: number;
  none: number;
}

export const emptyTally = (): Tally => ({
  ...{ incidents: 0, unseen: 0, first: 0, three: 0, highest: 0, earliest: 0, coincidences: 0, none: 0 },
});

/** Asks for the cause of each incident and coincidence. */
export function judgeSystem(
  system: Pick<System, "incidents" | "coincidences">,
  scored: readonly ScoredSeries[],
  tally: Tally,
): void {
  const population = new TagCounts();
  for (const { tags } of scored) population.add(tags);
  for (const incident of system.incidents) judgeIncident(incident, { scored, population, tally });
  for (const { series, at } of system.coincidences) {
    tally.coincidences++;
    const anomaly = scored[series]!.deviations.find(
      ({ startAt }) => Math.abs(startAt / INTERVAL_MS - at) <= LATE,
    );
    const isNamed = anomaly && ask({ scored, population }, series, anomaly.startAt).ranked.length > 0;
    if (!isNamed) tally.none++;
  }
}

interface Asked {
  readonly scored: readonly ScoredSeries[];
  readonly population: TagCounts;
}

function judgeIncident(incident: Incident, { tally, ...asked }: Asked & { readonly tally: Tally }): void {
  const { scored } = asked;
  tally.incidents++;
  const anomaly = scored[incident.symptom]!.deviations.find(
    ({ startAt, peak }) => peak >= PAGED && Math.abs(startAt / INTERVAL_MS - incident.at) <= incident.length,
  );
  if (!anomaly) {
    tally.unseen++;
    return;
  }
  const { ranked, others } = ask(asked, incident.symptom, anomaly.startAt);
  const isRight = (mover: Found | undefined) => mover?.tags.service === incident.service;
  if (isRight(ranked[0])) tally.first++;
  if (ranked.slice(0, 3).some(isRight)) tally.three++;
  const scoreOf = ({ peak }: Found) => Math.min(HIGHEST, peak);
  if (isRight(others.toSorted((a, b) => scoreOf(b) - scoreOf(a))[0])) tally.highest++;
  const crossing = ({ index }: Found) =>
    strongestIn(scored[index]!.deviations, windowAround(anomaly.startAt, INTERVAL_MS))!.startAt;
  const paging = others.filter(({ peak }) => peak >= PAGED);
  if (isRight(paging.toSorted((a, b) => crossing(a) - crossing(b))[0])) tally.earliest++;
}

function ask({ scored, population }: Asked, target: number, at: number) {
  const window = windowAround(at, INTERVAL_MS);
  const earlier = strongBefore(scored[target]!.deviations, window.fromAt);
  const movers = scored.flatMap((series, index): Found[] => {
    const mover = moverIn(series, window, earlier, at);
    return mover ? [{ ...mover, index }] : [];
  });
  const own = movers.find(({ index }) => index === target);
  const others = movers.filter(({ index }) => index !== target);
  const windowMs = window.toAt - window.fromAt;
  const { ranked } = rankMovers({ target: own, movers: others, population, windowMs });
  return { others, ranked: ranked.map(({ mover }) => mover) };
}

/** The table of all seeds, a row per seed and one of all. */
export async function evaluateRelated(
  seeds: readonly number[],
  onProgress: (text: string) => void,
): Promise<string> {
  const all = emptyTally();
  const rows: string[][] = [];
  for (const seed of seeds) {
    const tally = emptyTally();
    for (let k = 0; k < SYSTEMS; k++) {
      const system = makeSystem(SEED_STEP * seed + k, INCIDENTS);
      judgeSystem(system, await scoreSystem(system), tally);
      onProgress(`seed ${seed}, system ${k + 1} of ${SYSTEMS}`);
    }
    rows.push(rowOf(`seed ${seed}`, tally));
    for (const key of Object.keys(all) as (keyof Tally)[]) all[key] += tally[key];
  }
  const head = [
    "",
    "incidents",
    "first",
    "first three",
    "highest score",
    "first crossing",
    "coincidence: none",
  ];
  return renderTable(head, [...rows, ...(seeds.length > 1 ? [rowOf("all", all)] : [])]);
}

/** Apart from the seeds that tests and development use. */
const SEED_STEP = 1000;

function rowOf(name: string, tally: Tally): string[] {
  const share = (count: number) => `${Math.round((100 * count) / tally.incidents)} %`;
  const { incidents, first, three, highest, earliest, coincidences, none } = tally;
  const alone = `${Math.round((100 * none) / coincidences)} %`;
  return [name, String(incidents), share(first), share(three), share(highest), share(earliest), alone];
}
