// Order of anomalies by how bad they are.
import type { AnomalyView } from "../../api/anomaly.ts";
import { severities } from "../../core/anomaly/severity.ts";

type Ranked = Pick<AnomalyView, "severity" | "peak_rarity" | "peak_score" | "start">;

/** The most severe first, then the rarest, then the newest. */
export function compareWorst(a: Ranked, b: Ranked): number {
  const rank = ({ severity }: Ranked) => severities.indexOf(severity);
  const rarity = ({ peak_rarity = 0 }: Ranked) => peak_rarity;
  return rank(b) - rank(a) || rarity(b) - rarity(a) || b.peak_score - a.peak_score || b.start - a.start;
}
