// Where a grid's intervals lie in local days and weeks.
import type { ModelSettings } from "../../core/model/model.ts";
import type { Grid } from "../../core/series/grid.ts";
import { offsetsOf } from "../../core/time/timezone.ts";
import type { Timeline } from "./seasonal.ts";

/** Times of day are those of the model's `timezone`. */
export function timelineOf(
  { timezone }: Pick<ModelSettings, "timezone">,
  { startAt, intervalMs }: Pick<Grid, "startAt" | "intervalMs">,
): Timeline {
  return { startAt, intervalMs, offsetAt: offsetsOf(timezone) };
}
