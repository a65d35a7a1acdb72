// The parts of the benchmark, in the order in which they run.
import { growthOfJobs, growthOfModels } from "./growth.ts";
import type { Part } from "./part.ts";
import { scoring } from "./scoring.ts";
import { start } from "./start.ts";
import { steps } from "./steps.ts";
import { trainings } from "./trainings.ts";

export const parts: readonly Part[] = [steps, trainings, scoring, start, growthOfModels, growthOfJobs];
