// Quiet detector: a run at the floor of a series, as orders that stop at noon.
import { runOf } from "./run.ts";

export const quiet = runOf({
  atFloor: true,
  explanation: "at its least for longer than usual at this time",
});
