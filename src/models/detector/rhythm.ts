// Where a grid's intervals lie in local days and weeks.
import type { Grid } from "../../core/grid.ts";
import type { ModelSettings } from "../../core/model.ts";
import { offsetsOf } from "../../core/timezone.ts";
import type { Rhythm } from "./seasonal.ts";

/** Times of day are those of the model's `timezone`. */
export function rhythmOf(
  { timezone }: Pick<ModelSettings, "timezone">,
  { startAt, intervalMs }: Pick<Grid, "startAt" | "intervalMs">,
): Rhythm {
  return { startAt, intervalMs, offsetAt: offsetsOf(timezone) };
}
