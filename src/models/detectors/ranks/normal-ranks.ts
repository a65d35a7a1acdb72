// Ranks of the detectors among normal points; points of an anomaly are withheld until it ends; pure.
import type { Thresholds } from "../../../core/anomaly/state.ts";
import { type Coverage, calibrationOfMeans, combineRarities, shareOf } from "../combine.ts";
import { detectorKinds, detectorNames, endingNames } from "../kinds/index.ts";
import { type DetectionRules, detectionRules } from "../rules.ts";
import { type LocalTime, localTimeOf } from "../seasons/recurring.ts";
import type { Timeline } from "../timeline.ts";
import {
  type Alarm,
  type DetectorName,
  type Ensemble,
  type Memory,
  namesOf,
  type PerDetector,
  perDetector,
} from "../types.ts";
import type { OutlierMeasure } from "../usual-outliers.ts";
import { Anomalies, type PointScores } from "./anomalies.ts";
import { LateTops } from "./late-tops.ts";
import { CausalRank, type RankCounts, startOfBin } from "./rank.ts";
import { loneRarity, type RarityOfValue, rarityOfValue, type ValueJudge } from "./value-rarity.ts";

/** Decades by which several detectors together can exceed what one can. */
const TOGETHER_DECADES = 1;

/** Points below which the few windows that hold an anomaly would decide the ranks of later ones. */
const FEW_POINTS = 1000;

interface NormalRules {
  readonly timeline: Timeline;
  readonly thresholds: Thresholds;
  readonly detection?: DetectionRules | undefined;
}

/** Combined rarity of a point, in decades. */
export interface Ranked {
  /** Among the normal points and those of the anomaly in progress. */
  readonly rarity: number;
  /** Of each detector, among the normal points alone. */
  readonly rarities: Readonly<PerDetector<number>>;
  /** As `rarity`, among the normal points alone, without a bound: orders the peaks of a burst. */
  readonly peak: number;
  /**
   * During an anomaly and shortly after it, of the value alone: by the detectors that expect it from a past without the
   * anomaly, among the points before it. Windows that hold the anomaly stay rare when the values are back.
   */
  readonly ofValue?: number;
  /** The detector that raises alone, and the rarity of the others combined; absent where they agree. */
  readonly alone?: { readonly name: DetectorName; readonly combined: number };
  /** What decides `rarity` instead of the detectors: of a point among usual outliers. */
  readonly boundBy?: OutlierMeasure;
}

export class NormalRanks {
  readonly #names: readonly DetectorName[];
  readonly #ranks: PerDetector<CausalRank>;
  readonly #detection: DetectionRules;
  readonly anomalies: Anomalies;
  readonly #late: LateTops;

  constructor(
    private readonly ensemble: Ensemble,
    private readonly rules: NormalRules,
    memory: Pick<Memory, "ranks" | "pending" | "alarms" | "late"> | undefined,
  ) {
    this.#names = namesOf(ensemble);
    const { detection = detectionRules } = rules;
    this.#detection = detection;
    this.#ranks = perDetector(
      this.#names,
      (name) => new CausalRank(memory?.ranks[name] ?? ensemble.detectors[name]!.ranks, detection),
    );
    this.anomalies = new Anomalies({ ...rules, withheld: detection.withheldAlarms }, memory);
    const lone = this.#names.filter((name) => detectorKinds[name].alone);
    this.#late = new LateTops(
      perDetector(lone, (name) => this.#ranks[name]!.top),
      memory?.late,
    );
  }

  /** Normal points that a point is ranked among. */
  get points(): number {
    let most = 0;
    for (const name of this.#names) most = Math.max(most, this.#ranks[name]!.points);
    return most;
  }

  /** Whether an anomaly is in progress. */
  get inAnomaly(): boolean {
    return this.anomalies.pending !== undefined;
  }

  /**
   * @param at start of the interval, ms since the epoch
   * @param surprises of the detectors that judge the point, decades
   * @param novelty of the value, see `noveltyOf`
   */
  rank(at: number, surprises: PerDetector<number>, coverage: Coverage, novelty = 0): Ranked {
    const { pending } = this.anomalies;
    const held = this.#heldCountsAt(at);
    const rarities = this.#raritiesOf(surprises, held);
    const combined = this.#combine(
      at,
      pending ? this.#raritiesOf(surprises, held, pending) : rarities,
      coverage.observed,
    );
    const lone = this.#overwhelming(surprises);
    const isAlone = lone.name !== undefined && !pending && lone.rarity > Math.max(combined, novelty);
    const alone = isAlone ? { alone: { name: lone.name!, combined } } : {};
    const rarity = Math.min(
      pending ? combined : Math.max(combined, lone.rarity, novelty),
      mostDecades(this.points, this.#detection),
    );
    const unbounded = perDetector(Object.keys(surprises) as DetectorName[], (name) =>
      this.#ranks[name]!.unboundedRarityOf(surprises[name]!, held[name]),
    );
    const peak = this.#combine(at, unbounded, coverage.observed);
    if (!this.anomalies.isNear(at)) return { rarity, rarities, peak, ...alone };
    const ending = endingNames
      .filter((name) => surprises[name] !== undefined)
      .map((name) => ({ name, surpriseOf: () => surprises[name]! }));
    const ofValue = this.rarityOfValues(at, ending, coverage)(Number.NaN, novelty);
    return { rarity, rarities, peak, ...alone, ofValue: this.#ofRecovered(ofValue, rarities.seasonal) };
  }

  /**
   * Rarities of values among the points before the anomaly in progress: a band tries dozens at one point. Detectors whose
   * window holds anomalies count as little as after a gap: they expect what they were left to guess.
   */
  rarityOfValues(at: number, judges: readonly ValueJudge[], { observed, usual }: Coverage): RarityOfValue {
    const known = judges.map(({ name, surpriseOf }) => ({
      ...{ name, surpriseOf, alone: detectorKinds[name].alone },
      rank: this.#ranks[name]!,
      weight: shareOf(name, this.ensemble.detectors[name]!.weight, usual),
      late: this.#late.of(name),
    }));
    const calibrate = calibrationOfMeans(this.ensemble, observed, this.#timeAt(at));
    const together = observed > 0 ? usual / observed : 1;
    return rarityOfValue(known, {
      detection: this.#detection,
      aftermath: this.anomalies.aftermathAt(at),
      // Where one detector is left it says how rare a value is; a mean of many would be rarer.
      calibrate: (mean) => mean + together * (calibrate(mean) - mean),
      most: mostDecades(this.points, this.#detection),
    });
  }

  /** Rarities by detector, decades. @param held, aside points that are ranked besides the normal ones */
  #raritiesOf(
    surprises: PerDetector<number>,
    held: PerDetector<RankCounts> = {},
    aside?: Alarm,
  ): PerDetector<number> {
    const rarities: PerDetector<number> = {};
    for (const name of this.#names) {
      const surprise = surprises[name];
      if (surprise === undefined) continue;
      const counts = aside?.counts[name];
      const besides = held[name] ? [...held[name], ...(counts ?? [])] : counts;
      rarities[name] = this.#ranks[name]!.rarityOf(surprise, besides);
    }
    return rarities;
  }

  /** Of a young series, the neighbour detectors whose window at an instant (ms) holds the last anomaly. */
  #holdersAt(at: number): DetectorName[] {
    const age = this.anomalies.ageOfLast(at);
    if (age === Number.POSITIVE_INFINITY || this.points >= FEW_POINTS) return [];
    return detectorNames.filter((name) => age < detectorKinds[name].holds && this.#ranks[name] !== undefined);
  }

  /** What windows that hold an anomaly are ranked among, besides the normal ones: others that hold one. */
  #heldCountsAt(at: number): PerDetector<RankCounts> {
    return perDetector(this.#holdersAt(at), (name) =>
      this.anomalies.ended.flatMap(({ held }) => held?.[name] ?? []),
    );
  }

  /** Rarity of a value at most as high as the time of day tells, where that is enough. @param own by the time of day */
  #ofRecovered(rarity: number, own = Number.POSITIVE_INFINITY): number {
    return this.anomalies.isRecoveredWith(own) ? Math.min(rarity, own) : rarity;
  }

  /** Reduces the weight of all earlier points to that of `points`. */
  discount(points: number): void {
    for (const name of this.#names) this.#ranks[name]!.discount(points);
  }

  /**
   * Advances by one point: into the ranks, or into the anomaly in progress.
   * @param at start of the interval, ms since the epoch
   * @param scoreOfValue of the value alone in an anomaly, 0..100; by default as on either side
   * @returns an anomaly whose points count as normal from now on
   */
  add(
    at: number,
    scores: PointScores,
    surprises: PerDetector<number>,
    scoreOfValue = scores.either,
  ): Alarm | undefined {
    const accepted = this.anomalies.step(at, scores);
    if (accepted) this.#accept(accepted);
    const { seasonal } = surprises;
    const atItsTime = seasonal === undefined ? undefined : this.#ranks.seasonal?.rarityOf(seasonal);
    if (this.inAnomaly) this.anomalies.extend(at, { surprises, scoreOfValue, atItsTime });
    else {
      this.anomalies.follow(at, atItsTime);
      this.#learn(at, surprises);
    }
    return accepted;
  }

  toMemory(): Pick<Memory, "ranks" | "pending" | "alarms" | "late"> {
    return {
      ranks: perDetector(this.#names, (name) => this.#ranks[name]!.toMemory()),
      ...this.anomalies.toMemory(),
      late: this.#late.toMemory(),
    };
  }

  /** Rarity of what one detector alone can see, as a job that is missing or comes at another time. */
  #overwhelming(surprises: PerDetector<number>): { name?: DetectorName; rarity: number } {
    let most: { name?: DetectorName; rarity: number } = { rarity: 0 };
    for (const name of this.#names) {
      const surprise = surprises[name];
      const { alone } = detectorKinds[name];
      if (surprise === undefined || !alone) continue;
      const lone = { alone, rank: this.#ranks[name]!, late: this.#late.of(name) };
      const rarity = loneRarity(lone, surprise, this.#detection);
      if (rarity > most.rarity) most = { name, rarity };
    }
    return most;
  }

  #combine(at: number, rarities: PerDetector<number>, coverage: number): number {
    return combineRarities(this.ensemble, rarities, coverage, this.#timeAt(at));
  }

  /** Local time of an instant (ms). */
  #timeAt(at: number): LocalTime {
    return localTimeOf({ ...this.rules.timeline, startAt: at }, 0);
  }

  /** Adds the surprises of a normal point. Those of windows that hold the last anomaly are withheld with it. */
  #learn(at: number, surprises: PerDetector<number>): void {
    const holders = this.#holdersAt(at).filter((name) => surprises[name] !== undefined);
    this.#late.add(at, surprises);
    for (const name of this.#names)
      if (surprises[name] !== undefined && !holders.includes(name)) this.#ranks[name]!.add(surprises[name]);
    this.anomalies.hold(surprises, holders);
  }

  #accept({ counts, held = {} }: Alarm): void {
    const tops: PerDetector<number> = {};
    for (const name of this.#names) {
      const all = [...(counts[name] ?? []), ...(held[name] ?? [])];
      this.#ranks[name]!.addAll(all);
      if (all.length > 0) tops[name] = startOfBin(Math.max(...all.map(([bin]) => bin)));
    }
    this.#late.accept(tops);
  }
}

/** Decades that several detectors, or features, together can show of as many points. */
export function mostDecades(points: number, { maxDecadesBeyond }: DetectionRules = detectionRules): number {
  return Math.log10(points + 1) + maxDecadesBeyond + TOGETHER_DECADES;
}
