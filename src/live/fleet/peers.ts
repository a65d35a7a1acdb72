// Comparison of the series of a fleet with each other at the same instant: unlike its peers, or moved with them; pure.
import { type FeatureReport, factorOf } from "../../core/anomaly/event.ts";
import type { AnomalyRules } from "../../core/anomaly/state.ts";
import { directionsOf, type Feature } from "../../core/model/feature.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { findTopTags } from "../../core/series/top-tags.ts";
import type { PointScore } from "../../models/kind.ts";
import { scoreOfRarity } from "../../models/scoring/score.ts";
import { medianOf } from "../../models/stats/median.ts";
import {
  addMagnitudes,
  type RankHistogram,
  shareAbove,
  weightOf,
} from "../../models/stats/rank-histogram.ts";
import type { ScoredPoint } from "../episodes/episode-tracker.ts";
import type { ScoredWindow } from "../score-window.ts";
import type { LiveState } from "../state.ts";
import type { SeriesWindow } from "./score-fleet.ts";

/** Least number of series that can be compared. */
const MIN_PEERS = 5;
/** Distances seen before one of them can be rare. */
const MIN_DISTANCES = 500;
/** Least spread of the peers, in half-widths of the band: below, chance decides. */
const MIN_SPREAD = 0.2;
/** Consistency of the median absolute deviation with the deviation of a normal distribution. */
const NORMAL_MAD = 1.4826;
/** A series is tested twice, against its past and its peers: each test has half of the false alarms. */
const TESTS = Math.log10(2);
/** Share of the series above the threshold from which it is the fleet that moves. */
export const FLEET_SHARE = 0.5;

/** Part of the state of a fleet: distances from the peers by feature. */
type PeerMemory = NonNullable<LiveState["peers"]>;

interface PeerRules
  extends Pick<AnomalyRules, "min" | "max">,
    Pick<ModelSettings, "features" | "score_scale"> {
  /** Whether an anomaly of the fleet is in progress. */
  readonly isMoving: boolean;
}

export interface ComparedFleet {
  /** As they were, with the scores of the comparison. */
  readonly windows: readonly SeriesWindow[];
  /** The fleet as one series: the median of its series, by interval. */
  readonly points: readonly ScoredPoint[];
  /** Largest share of the series above the threshold, 0..1. */
  readonly share: number;
  readonly memory: PeerMemory;
}

/** Compares the series of a window, interval by interval. @param before of the last evaluation */
export function comparePeers(
  windows: readonly SeriesWindow[],
  before: PeerMemory,
  rules: PeerRules,
): ComparedFleet {
  const scored = windows.filter(({ scored: own }) => own !== undefined);
  const length = scored[0]?.scored?.points.length ?? 0;
  const comparable = scored.filter(({ scored: own }) => own!.points.length === length);
  const columns = new Map(comparable.map((window) => [window, [...window.scored!.points]]));
  const points: ScoredPoint[] = [];
  let memory = before;
  let share = 0;
  let { isMoving } = rules;
  for (let i = 0; i < length; i++) {
    const instant = compareInstant(comparable, i, { memory, rules: { ...rules, isMoving } });
    for (const [window, point] of instant.series) columns.get(window)![i] = point;
    if (instant.fleet) points.push(instant.fleet);
    memory = instant.memory;
    isMoving = rules.isMoving || instant.isFleet;
    share = Math.max(share, instant.share);
  }
  const compared = windows.map((window) => {
    const own = columns.get(window);
    return own && window.scored ? { ...window, scored: withPoints(window.scored, own) } : window;
  });
  return { windows: compared, points, share, memory };
}

/** A scored window with other points, whose scores are those of the evaluation, too. */
function withPoints(scored: ScoredWindow, points: readonly ScoredPoint[]): ScoredWindow {
  const scores = scored.evaluation.scores.map((score, i): PointScore => {
    const { score: judged, features } = points[i]!;
    const own = Object.entries(score.features).map(([name, feature]) => {
      return [name, { ...feature, score: features[name]?.score ?? feature.score }] as const;
    });
    return { ...score, score: judged, features: Object.fromEntries(own) };
  });
  return { ...scored, points, evaluation: { ...scored.evaluation, scores } };
}

interface InstantContext {
  readonly memory: PeerMemory;
  readonly rules: PeerRules;
}

interface ComparedInstant {
  readonly series: ReadonlyMap<SeriesWindow, ScoredPoint>;
  /** Absent with too few series. */
  readonly fleet?: ScoredPoint;
  readonly share: number;
  /** Whether it is the fleet that moves. */
  readonly isFleet: boolean;
  readonly memory: PeerMemory;
}

function compareInstant(
  windows: readonly SeriesWindow[],
  i: number,
  { memory: before, rules }: InstantContext,
): ComparedInstant {
  const present = windows.filter(({ scored }) => scored!.points[i]!.score !== undefined);
  if (present.length < MIN_PEERS) return { series: new Map(), share: 0, isFleet: false, memory: before };
  const pointOf = ({ scored }: SeriesWindow) => scored!.points[i]!;
  const above = present.filter((window) => pointOf(window).score! > rules.max).length;
  const share = above / present.length;
  const memory: Record<string, RankHistogram> = { ...before };
  const distances = new Map<string, ReadonlyMap<SeriesWindow, Unlike>>();
  for (const feature of rules.features) {
    const found = measureDistances(present, feature, pointOf, before[feature.name] ?? []);
    if (!found) continue;
    distances.set(feature.name, found);
    const magnitudes = [...found.values()].map(({ distance }) => Math.abs(distance));
    memory[feature.name] = addMagnitudes(before[feature.name] ?? [], magnitudes);
  }
  const fleet = medianPoint(present, pointOf, rules);
  // Until the fleet's anomaly ends: series leave it one after the other, and the last ones are not odd by themselves.
  const isFleet = share >= FLEET_SHARE || (rules.isMoving && fleet.score! >= rules.min);
  const series = present.map((window) => {
    const own = [...distances].flatMap(([name, found]) => {
      const unlike = found.get(window);
      return unlike ? [[name, unlike] as const] : [];
    });
    return [window, withPeers(pointOf(window), new Map(own), { isFleet, scale: rules.score_scale })] as const;
  });
  return { series: new Map(series), fleet, share, isFleet, memory };
}

/** How a feature of a series differs from its peers. */
interface Unlike {
  /** From the median of the peers, in their spread; below 0: lower. */
  readonly distance: number;
  /** Decades; 0 in a direction that does not count. */
  readonly rarity: number;
  /** Value that the series would have, had it moved as its peers. */
  readonly expected: number;
}

/** @returns undefined where too few series have a band of some width */
function measureDistances(
  windows: readonly SeriesWindow[],
  feature: Feature,
  pointOf: (window: SeriesWindow) => ScoredPoint,
  histogram: RankHistogram,
): ReadonlyMap<SeriesWindow, Unlike> | undefined {
  const type = directionsOf(feature);
  const residuals = windows.flatMap((window) => {
    const report = pointOf(window).features[feature.name];
    const residual = report && residualOf(report);
    return residual === undefined ? [] : [{ window, report: report!, residual }];
  });
  if (residuals.length < MIN_PEERS) return undefined;
  const center = medianOf(residuals.map(({ residual }) => residual));
  const spread = NORMAL_MAD * medianOf(residuals.map(({ residual }) => Math.abs(residual - center)));
  const isKnown = weightOf(histogram) >= MIN_DISTANCES;
  return new Map(
    residuals.map(({ window, report, residual }) => {
      const distance = (residual - center) / Math.max(spread, MIN_SPREAD);
      const counts = distance < 0 ? type !== "high" : type !== "low";
      const rarity = isKnown && counts ? -Math.log10(shareAbove(histogram, Math.abs(distance))) - TESTS : 0;
      const { predicted, lower, upper } = report;
      const expected = predicted + center * (center < 0 ? predicted - lower : upper - predicted);
      return [window, { distance, rarity: Math.max(0, rarity), expected }] as const;
    }),
  );
}

/** Distance from the expected value in half-widths of the band, below 0 for low values. */
function residualOf(report: FeatureReport): number | undefined {
  const factor = report.factor ?? factorOf(report);
  if (factor === undefined) return undefined;
  return (report.observed ?? 0) < report.predicted ? -factor : factor;
}

/**
 * A point with what its peers add: the higher of both scores. Where the fleet moves, only what is unlike the peers
 * starts an anomaly of the series.
 */
function withPeers(
  point: ScoredPoint,
  unlike: ReadonlyMap<string, Unlike>,
  { isFleet, scale }: { readonly isFleet: boolean; readonly scale: ModelSettings["score_scale"] },
): ScoredPoint {
  let highest = 0;
  const features = Object.entries(point.features).map(([name, report]): [string, FeatureReport] => {
    const own = unlike.get(name);
    if (!own) return [name, report];
    const score = scale === "sigma" ? 100 * (1 - 10 ** -own.rarity) : scoreOfRarity(own.rarity);
    highest = Math.max(highest, score);
    const peers = { expected: own.expected, distance: own.distance };
    if (score <= report.score) return [name, { ...report, reason: "history", peers }];
    const type = own.distance < 0 ? "low" : "high";
    return [name, { ...report, type, score, rarity: own.rarity, reason: "peers", peers }];
  });
  const score = point.score === undefined ? undefined : Math.max(point.score, highest);
  return { ...point, score, features: Object.fromEntries(features), ...(isFleet && { startCap: highest }) };
}

/** The median series: its score is above the threshold where half of the series are. */
function medianPoint(
  windows: readonly SeriesWindow[],
  pointOf: (window: SeriesWindow) => ScoredPoint,
  { features }: PeerRules,
): ScoredPoint {
  const points = windows.map((window) => pointOf(window));
  const reports = features.flatMap(({ name }): [string, FeatureReport][] => {
    const own = points.flatMap(({ features: all }) => all[name] ?? []);
    if (own.length < MIN_PEERS) return [];
    const median = (pick: (report: FeatureReport) => number) => medianOf(own.map(pick));
    const values = {
      observed: median(({ observed }) => observed ?? Number.NaN),
      predicted: median(({ predicted }) => predicted),
      lower: median(({ lower }) => lower),
      upper: median(({ upper }) => upper),
    };
    const type = values.observed < values.predicted ? "low" : "high";
    const factor = factorOf(values);
    const topTags = findTopTags(
      windows.map((window) => {
        const report = pointOf(window).features[name];
        return { tags: window.series.tags, weight: Math.abs((report && residualOf(report)) ?? 0) };
      }),
    );
    const extent = {
      ...(factor !== undefined && { factor }),
      ...(topTags.length > 0 && { top_tags: topTags }),
    };
    return [[name, { type, score: lowerMedian(own.map(({ score }) => score)), ...values, ...extent }]];
  });
  const { at } = points[0]!;
  return { at, score: lowerMedian(points.map(({ score }) => score!)), features: Object.fromEntries(reports) };
}

/** The value that at least half of the values reach. */
function lowerMedian(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}
