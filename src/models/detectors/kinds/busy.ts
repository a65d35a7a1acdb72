// Busy detector: a run away from the floor of a series, as water that flows all night.
import { runOf } from "./run.ts";

export const busy = runOf({
  atFloor: false,
  explanation: "above its least for longer than usual at this time",
});
