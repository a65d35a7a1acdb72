// Batch detection over a whole series: each point is compared with all others, before and after it.
import { mapInSteps } from "../../runtime/steps.ts";
import { scoreOfRarity } from "../scoring/score.ts";
import { fitTail, tailDecades } from "../stats/tail.ts";
import { type DetectInput, type Detection, isInDirection } from "./detection.ts";
import { directionOfRun, findLongRuns, type LongRun, severityOf } from "./long-runs.ts";
import { seasonalScaleAt } from "./residual-scale.ts";
import { tailFactor } from "./tail-width.ts";
import { bandWidthOf, widenToRatio } from "./tolerance-band.ts";
import { expectUsual } from "./usual.ts";

/**
 * Expected values, margins, anomalies and scores of every point.
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function detectBatch(input: DetectInput, signal: AbortSignal): Promise<Detection> {
  const { column, period, anomalyType } = input;
  const { expected, errors, scale, unit } = await expectUsual(input, column, signal);
  const spread = await mapInSteps(
    column.length,
    (i) => seasonalScaleAt(errors, i, { period, overall: scale[i]! }),
    signal,
  );
  const sizes = errors.map((error, i) =>
    Number.isNaN(error) || isInDirection(error, anomalyType) ? Math.abs(error) / spread[i]! : 0,
  );
  const present = sizes.filter(Number.isFinite);
  const usual = tailFactor(sizes) * bandWidthOf(input.sensitivity);
  const width = widenToRatio(usual, present, input.maxAnomalyRatio);
  const margin = spread.map((deviation, i) => width * deviation * unit[i]!);
  const isOut = (i: number) => sizes[i]! > width;
  const ofPoints = {
    direction: Int8Array.from(errors, (error, i) => (isOut(i) ? Math.sign(error) : 0)),
    severity: errors.map((_error, i) => (isOut(i) ? 1 - width / sizes[i]! : 0)),
    rarity: raritiesOf(sizes, present, width),
  };
  // A long run deviates in neither direction.
  const runs = anomalyType === "low_high" ? findLongRuns(input) : [];
  for (const run of runs) markRun(run, ofPoints, { column, errors });
  return { expected, margin, ...ofPoints, score: ofPoints.rarity.map(scoreOfRarity), runs };
}

/** Marks the points of a long run, once it is longer than usual. @param errors observed minus expected */
function markRun(
  run: LongRun,
  { direction, severity, rarity }: Pick<Detection, "direction" | "severity" | "rarity">,
  { column, errors }: Readonly<Record<"column" | "errors", Float64Array>>,
): void {
  const { from, to, usual, decades } = run;
  const sign = directionOfRun(run, column, errors);
  const share = severityOf(run);
  let points = 0;
  for (let i = from; i < to; i++) {
    if (Number.isNaN(errors[i]!) || ++points <= usual) continue;
    direction[i] = sign;
    severity[i] = Math.max(severity[i]!, share);
    rarity[i] = Math.max(rarity[i]!, decades);
  }
}

/** By the tail of the normal points; anomalies are not part of it. @returns decades, NaN where missing */
function raritiesOf(sizes: Float64Array, present: Float64Array, width: number): Float64Array {
  const normal = present.filter((size) => size > 0 && size <= width);
  const tail = fitTail(normal.length > 0 ? normal : Float64Array.of(0), present.length);
  return sizes.map((size) => (size > 0 ? tailDecades(tail, size) : size));
}
