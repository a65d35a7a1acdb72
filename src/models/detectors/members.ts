// Detectors at one point: the value each expects from the past, and how surprising a value would be; pure.
import { tailDecades } from "../stats/tail.ts";
import type { ImputedSeries } from "./imputed-series.ts";
import { expectLinear, linearStatistic } from "./linear.ts";
import { type Nearest, type Neighbours, neighbourSpans } from "./neighbours.ts";
import type { Seasonal } from "./seasonal.ts";
import { type DetectorName, type Ensemble, type NeighbourName, neighbourNames } from "./types.ts";

/** Logarithm of the square root of two pi: the constant of a normal density. */
const LOG_SQRT_2PI = 0.5 * Math.log(2 * Math.PI);

/** Directions that count. */
export interface Sides {
  readonly below: boolean;
  readonly above: boolean;
}

/** Output of the network per interval, in units of the data. */
export interface NetworkOutput {
  readonly expected: Float64Array;
  readonly deviation: Float64Array;
  /** Nats in standardised units; NaN = not scored. */
  readonly nll: Float64Array;
  /** Deviation of the standardisation. */
  readonly unit: number;
}

export interface Member {
  readonly name: DetectorName;
  /** In units of the data. */
  readonly expected: number;
  /** Surprise of the observed value on a side that counts, decades under the tail of the training; NaN = missing. */
  readonly surprise: number;
  /** Surprise of any value on either side, approximated. */
  readonly surpriseOf: (value: number) => number;
  /** Distance of a value from the expectation, in units of the data. */
  readonly distanceOf: (value: number) => number;
  /** Nearest earlier window of the observed value, of a neighbour detector. */
  readonly nearest?: Nearest;
}

interface Sources {
  readonly ensemble: Ensemble;
  readonly sides: Sides;
  readonly network: NetworkOutput;
  readonly seasonal: Seasonal;
  readonly neighbours: Neighbours;
  readonly imputed: ImputedSeries;
  /** Distance from an expectation that is no deviation, as a share of the series' deviation. */
  readonly resolution: number;
}

/** Statistics of one detector at one point. */
interface Judge {
  readonly name: DetectorName;
  readonly expected: number;
  readonly statisticOf: (value: number) => number;
  /** Default: the distance from `expected`. */
  readonly distanceOf?: (value: number) => number;
  /** Statistic of the observed value, if `statisticOf` approximates it. */
  readonly exact?: number | undefined;
  readonly nearest?: Nearest | undefined;
  /** Whether a value at the expectation may surprise, by the points before it. */
  readonly judgesShape?: boolean;
}

export class Members {
  readonly #sources: Sources;
  readonly #resolution: number;

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#resolution = sources.resolution * sources.ensemble.linear.scale;
  }

  /** The detectors that can judge interval `i`. @param value NaN = missing */
  at(i: number, value: number): Member[] {
    const judges = [this.#network(i, value), this.#linear(i), this.#seasonal(i), ...this.#neighbours(value)];
    return judges.flatMap((judge) => (judge ? [this.#toMember(judge, value)] : []));
  }

  #toMember(
    { name, expected, statisticOf, exact, nearest, judgesShape = false, ...judge }: Judge,
    value: number,
  ): Member {
    const { distanceOf = (other: number) => Math.abs(other - expected) } = judge;
    const { ensemble, sides } = this.#sources;
    const { tail } = ensemble.detectors[name]!;
    const isUsual = (at: number) => !judgesShape && Math.abs(at - expected) <= this.#resolution;
    const surpriseOf = (at: number, statistic = statisticOf(at)) =>
      isUsual(at) ? 0 : tailDecades(tail, statistic);
    const counts = value < expected ? sides.below : sides.above;
    const surprise = Number.isNaN(value) ? Number.NaN : counts ? surpriseOf(value, exact) : 0;
    return { name, expected, surprise, surpriseOf, distanceOf, ...(nearest && { nearest }) };
  }

  #network(i: number, value: number): Judge | undefined {
    const { ensemble, network } = this.#sources;
    const [expected, deviation] = [network.expected[i]!, network.deviation[i]!];
    if (!ensemble.detectors.network || !Number.isFinite(expected)) return undefined;
    const constant = Math.log(deviation / network.unit) + LOG_SQRT_2PI;
    const statisticOf = (other: number) => 0.5 * ((other - expected) / deviation) ** 2 + constant;
    const exact = Number.isFinite(value) ? network.nll[i]! : undefined;
    return { name: "network", expected, statisticOf, exact };
  }

  #linear(i: number): Judge {
    const { ensemble, imputed } = this.#sources;
    // The components expect the last point from the whole window, the point itself included: of a missing one, the imputed.
    const expectedWith = (value: number) => expectLinear(ensemble.linear, imputed.column, i, value);
    const first = expectedWith(ensemble.linear.center);
    const slope =
      (expectedWith(ensemble.linear.center + ensemble.linear.scale) - first) / ensemble.linear.scale;
    const expectedOf = (value: number) => first + slope * (value - ensemble.linear.center);
    // The value that is expected of itself.
    const expected = slope < 1 - 1e-9 ? (first - slope * ensemble.linear.center) / (1 - slope) : first;
    return {
      name: "linear",
      expected,
      statisticOf: (value) => linearStatistic(ensemble.linear, Math.abs(value - expectedOf(value))),
      // As a training measures the distances of false alarms: from the expectation with the value in the window.
      distanceOf: (value) => Math.abs(value - expectedWith(value)),
    };
  }

  #seasonal(i: number): Judge {
    const { ensemble, seasonal } = this.#sources;
    const expected = seasonal.expect(i);
    // By the scale of the training: one that adapts would hide a growing noise, and make records of nothing.
    return {
      name: "seasonal",
      expected,
      statisticOf: (value) => Math.abs(value - expected) / ensemble.seasonal.scale,
    };
  }

  #neighbours(value: number): Judge[] {
    const { ensemble, neighbours } = this.#sources;
    const { center, scale } = ensemble.linear;
    const toZ = (x: number) => (x - center) / scale;
    return neighbourNames.flatMap((name: NeighbourName): Judge[] => {
      const span = neighbourSpans[name];
      if (!ensemble.detectors[name] || !neighbours.prepare(span)) return [];
      const nearest = Number.isFinite(value) ? neighbours.nearest(span, toZ(value)) : undefined;
      let envelope: ((z: number) => number) | undefined;
      const statisticOf = (other: number) => {
        envelope ??= neighbours.envelope(span);
        return envelope(toZ(other));
      };
      const expected = neighbours.expected(span) * scale + center;
      return [{ name, expected, statisticOf, exact: nearest?.distance, nearest, judgesShape: true }];
    });
  }
}
