// Tolerated kinds from the false alarms in a training range, measured as live detection would.
import { expectLinear } from "../detectors/linear.ts";
import { Seasonal } from "../detectors/seasons/seasonal.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { measuredNames, pruneKinds, type ToleratedKind } from "../detectors/tolerance.ts";
import type { Ensemble } from "../detectors/types.ts";
import type { Context } from "../kind.ts";
import type { Standardisation } from "../series.ts";
import { type CalibrateInput, scoreTrained } from "./calibrate.ts";

interface ToleratedInput {
  readonly calibration: CalibrateInput;
  readonly standardisation: Standardisation;
  readonly ensemble: Ensemble;
  readonly timeline: Timeline;
  /** Training range in units of the data; NaN = missing. */
  readonly column: Float64Array;
  /** Expectation of the network with the false alarms in its windows, in units of the data. */
  readonly expected: Float64Array;
  /** 1 at the intervals of false alarms. */
  readonly marks: Uint8Array;
}

/**
 * Finds the tolerated kinds, one per false alarm and side.
 * @throws TorusError `canceled`, `worker_crashed`
 */
export async function findTolerated(
  input: ToleratedInput,
  context: Context,
): Promise<readonly ToleratedKind[]> {
  const runs = runsOf(input.marks);
  if (runs.length === 0) return [];
  const expected = await expectWithout(input, context);
  const view = measureDeviations(input, expected);
  return pruneKinds(
    runs.flatMap(({ from, to }) =>
      (["low", "high"] as const).flatMap((type) => kindOf(view, { type, from, to }) ?? []),
    ),
  );
}

/** Expectation with the false alarms missing: live, the points of an anomaly are imputed. */
async function expectWithout(input: ToleratedInput, context: Context): Promise<Float64Array> {
  const { calibration, standardisation, marks } = input;
  const observed = calibration.series.observed.map((flag, i) => (marks[i] === 1 ? 0 : flag));
  const hidden = { ...calibration, series: { ...calibration.series, observed } };
  const { expected } = await scoreTrained(hidden, context);
  return expected.map((value) => value * standardisation.deviation + standardisation.mean);
}

/** Deviation of each point, by every detector; undefined where missing. */
type DeviationAt = (i: number) => Pick<ToleratedKind, "type" | "distances"> | undefined;

function measureDeviations(input: ToleratedInput, without: Float64Array): DeviationAt {
  const { column, expected, marks, ensemble, timeline } = input;
  const usual = new Seasonal(ensemble.seasonal, timeline);
  const whole = column.map((value, i) => (Number.isFinite(value) ? value : usual.expect(i)));
  const imputed = whole.map((value, i) => {
    if (marks[i] !== 1) return value;
    return Number.isFinite(without[i]!) ? without[i]! : usual.expect(i);
  });
  const linear = (history: Float64Array, i: number) => {
    const value = column[i]!;
    const before = history[i]!;
    history[i] = value;
    const distance = Math.abs(value - expectLinear(ensemble.linear, history, i));
    history[i] = before;
    return distance;
  };
  return (i) => {
    const value = column[i]!;
    if (!Number.isFinite(value) || !Number.isFinite(without[i]!)) return undefined;
    const alone = Math.abs(value - without[i]!);
    const among = Math.abs(value - expected[i]!);
    return {
      type: value < without[i]! ? "low" : "high",
      distances: {
        network: Math.max(alone, Number.isFinite(among) ? among : 0),
        linear: Math.max(linear(imputed, i), linear(whole, i)),
        seasonal: Math.abs(value - usual.expect(i)),
      },
    };
  };
}

interface SideOfRun {
  readonly type: ToleratedKind["type"];
  readonly from: number;
  readonly to: number;
}

function kindOf(view: DeviationAt, { type, from, to }: SideOfRun): ToleratedKind | undefined {
  const points = Array.from({ length: to - from }, (_, k) => view(from + k)).filter(
    (point) => point?.type === type,
  );
  if (points.length === 0) return undefined;
  const furthest = measuredNames.map((name) => [
    name,
    Math.max(...points.map((point) => point!.distances[name])),
  ]);
  return { type, distances: Object.fromEntries(furthest) as ToleratedKind["distances"] };
}

/** Ranges of consecutive marked intervals. */
function runsOf(marks: Uint8Array): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let i = 0; i < marks.length; i++) {
    if (marks[i] !== 1) continue;
    const last = runs.at(-1);
    if (last?.to === i) last.to = i + 1;
    else runs.push({ from: i, to: i + 1 });
  }
  return runs;
}
