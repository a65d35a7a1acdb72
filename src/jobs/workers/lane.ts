// The lane that a piece of work takes in the compute pool, whatever lane its model kind asks for.
import type { Compute, ComputeOptions } from "../../models/kind.ts";

/** Look backs take the lane `training`, so as not to hold up predictions; live windows take the lane `live`. */
export function onLane(compute: Compute, lane: ComputeOptions["lane"]): Compute {
  return {
    trainingLanes: compute.trainingLanes,
    run: (task, options) => compute.run(task, { ...options, lane }),
  };
}
