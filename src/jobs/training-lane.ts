// Long work of networks that is no prediction of a live model: it waits behind trainings.
import type { Compute } from "../models/kind.ts";

/** What is scored for a look back must not hold up live models, which have a worker of their own. */
export function onTrainingLane(compute: Compute): Compute {
  return {
    trainingLanes: compute.trainingLanes,
    run: (task, options) => compute.run(task, { ...options, lane: "training" }),
  };
}
