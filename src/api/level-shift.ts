// Schema of a step to another level.
import { Type } from "@sinclair/typebox";
import type { LevelShift } from "../core/anomaly/level-shift.ts";
import { type Shown, seconds } from "./shown.ts";

export const LevelShiftStep = Type.Object(
  {
    feature: Type.String(),
    timestamp: seconds("Start of the first interval that is compared with the new level"),
    since: seconds("Start of the step, known to three hours"),
    from: Type.Number({ description: "Usual value at that time before the step" }),
    to: Type.Number({ description: "The same at the new level" }),
  },
  { description: "Step of a feature to another level, which is normal from then on" },
);
type LevelShiftView = Shown<typeof LevelShiftStep>;

export function viewLevelShift({ feature, at, sinceAt, from, to }: LevelShift): LevelShiftView {
  return { feature, timestamp: at / 1000, since: sinceAt / 1000, from, to };
}
