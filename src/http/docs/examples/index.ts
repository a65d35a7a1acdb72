// Operation ids and examples of the API by `METHOD /path`; a test sends each to a server.
import { azureExamples } from "./azure.ts";
import { bucketsExamples } from "./buckets.ts";
import { calendarsExamples } from "./calendars.ts";
import { changesExamples } from "./changes.ts";
import { jobsExamples } from "./jobs.ts";
import { liveExamples } from "./live.ts";
import { modelsExamples } from "./models.ts";
import { prometheusExamples } from "./prometheus.ts";
import { serverExamples } from "./server.ts";
import type { ApiExample } from "./shared.ts";

/** By method and path of the routes. */
export const examples: Readonly<Record<string, ApiExample>> = {
  ...serverExamples,
  ...bucketsExamples,
  ...prometheusExamples,
  ...modelsExamples,
  ...azureExamples,
  ...calendarsExamples,
  ...liveExamples,
  ...changesExamples,
  ...jobsExamples,
};
