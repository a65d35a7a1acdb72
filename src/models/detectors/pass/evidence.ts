// Evidence of a rare point: the share of each detector in its rarity, and the most similar earlier stretch; pure.
import type { Evidence } from "../../../core/anomaly/event.ts";
import { strongestDetector } from "../../../core/anomaly/reports/strongest.ts";
import { scoreOfRarity } from "../../scoring/score.ts";
import { shareOf } from "../combine.ts";
import { detectorKinds } from "../kinds/index.ts";
import type { Member } from "../members.ts";
import type { Ranked } from "../ranks/normal-ranks.ts";
import type { DetectorName, Ensemble } from "../types.ts";
import { outlierMeasures } from "../usual-outliers.ts";

/** Decades of points at which the comparison score equals the score, and points that every history is credited with. */
const FULL_HISTORY = 4;
const MIN_HISTORY = 10;

interface RarePoint {
  readonly members: readonly Member[];
  readonly ranked: Ranked;
  /** Number of points it was ranked among. */
  readonly points: number;
  /** Of the window, see `coverageOf`. */
  readonly coverage: number;
  /** Start of the interval so many points earlier, ms since the epoch. */
  readonly timeBefore: (lag: number) => number;
}

/** The nearest stretch is that of the neighbour detector that contributes most. */
export function explain(
  { detectors }: Pick<Ensemble, "detectors">,
  { members, ranked, points, coverage, timeBefore }: RarePoint,
): Evidence {
  const { rarity, rarities, boundBy } = ranked;
  const parts = members.map((member) => {
    const weight = shareOf(member.name, detectors[member.name]!.weight, coverage);
    return { member, part: weight * (rarities[member.name] ?? 0) };
  });
  const contributions = boundBy ? { [boundBy]: 1 } : contributionsOf(parts, ranked);
  const explanation = boundBy
    ? outlierMeasures[boundBy].explanation
    : detectorKinds[strongestDetector(contributions) as DetectorName].explanation;
  const shared = { contributions, explanation, comparison_score: comparisonScore(rarity, points) };
  const [strongest] = parts.filter(({ member }) => member.nearest).sort((a, b) => b.part - a.part);
  if (!strongest) return shared;
  const { distance, lag } = strongest.member.nearest!;
  const { span } = detectorKinds[strongest.member.name].windows!;
  return { ...shared, nearest: { at: timeBefore(lag) / 1000, distance, points: span } };
}

/** Share of each detector: what one sees alone is its own, the others have the rest. */
function contributionsOf(
  parts: readonly { readonly member: Member; readonly part: number }[],
  { rarity, alone }: Ranked,
): Record<string, number> {
  const total = parts.reduce((sum, { part }) => sum + part, 0) || 1;
  const rest = alone ? Math.min(1, alone.combined / rarity) : 1;
  return Object.fromEntries(
    parts.map(({ member: { name }, part }) => [
      name,
      (rest * part) / total + (alone?.name === name ? 1 - rest : 0),
    ]),
  );
}

/** Score relative to the rarest that as many points can show: a record counts the same in every series. */
export function comparisonScore(rarity: number, points: number): number {
  return scoreOfRarity((rarity * FULL_HISTORY) / Math.log10(points + MIN_HISTORY));
}
