// Whether an anomaly moved before all that moved with it; pure.
import type { RelatedView } from "../../../api/related.ts";

/** Seconds within which two series move at once. */
export const AT_ONCE = 1;

/** Whether others moved, all of them later, and the anomaly is most probably the cause. */
export function isFirstMover({
  anomaly,
  related,
}: {
  readonly anomaly?: Pick<NonNullable<RelatedView["anomaly"]>, "confidence"> | undefined;
  readonly related: readonly Pick<RelatedView["related"][number], "confidence" | "lead">[];
}): boolean {
  const [first] = related;
  if (anomaly === undefined || first === undefined || anomaly.confidence < first.confidence) return false;
  return related.every(({ lead }) => lead === undefined || lead <= -AT_ONCE);
}
