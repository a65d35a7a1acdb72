// Effect of a higher start threshold: anomalies of a model that it leaves out; pure.
import type { AnomalyView } from "../../../api/anomaly.ts";

export interface VerdictEffect {
  /** Score that a start would have to exceed. */
  readonly above: number;
  /** Anomalies whose peak did not exceed it, of all. */
  readonly silenced: number;
  readonly total: number;
  /** Of the confirmed ones. */
  readonly missed: number;
  readonly confirmed: number;
}

/** Highest score: no start lies above it. */
const HIGHEST = 100;

/** @param list anomalies of the model, the chosen one among them. @returns undefined where its peak is the highest score */
export function effectOf(
  list: readonly Pick<AnomalyView, "peak_score" | "feedback">[],
  { peak_score: above }: Pick<AnomalyView, "peak_score">,
): VerdictEffect | undefined {
  if (above >= HIGHEST) return undefined;
  const silenced = list.filter(({ peak_score }) => peak_score <= above);
  const isConfirmed = ({ feedback }: Pick<AnomalyView, "feedback">) => feedback?.anomaly === true;
  return {
    above,
    silenced: silenced.length,
    total: list.length,
    missed: silenced.filter(isConfirmed).length,
    confirmed: list.filter(isConfirmed).length,
  };
}
