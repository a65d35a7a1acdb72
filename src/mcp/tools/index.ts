// Registry of the tools, in the order of their list.
import { suggestClosest } from "../../core/input/suggest.ts";
import type { Tool } from "../tool.ts";
import { capacity } from "./capacity.ts";
import { createModel } from "./create-model.ts";
import { detectPoints } from "./detect-points.ts";
import { errorBudgets } from "./error-budgets.ts";
import { explainAnomaly } from "./explain-anomaly.ts";
import { exploreBucket } from "./explore-bucket.ts";
import { findCause } from "./find-cause.ts";
import { forecast } from "./forecast.ts";
import { giveFeedback } from "./give-feedback.ts";
import { listAnomalies } from "./list-anomalies.ts";
import { listBuckets } from "./list-buckets.ts";
import { listChanges } from "./list-changes.ts";
import { listModels } from "./list-models.ts";
import { muteModel } from "./mute-model.ts";
import { readBucket } from "./read-bucket.ts";
import { report } from "./report.ts";
import { showModelTool } from "./show-model.ts";
import { startModel } from "./start-model.ts";
import { stopModel } from "./stop-model.ts";
import { trainModel } from "./train-model.ts";

export const tools: readonly Tool[] = [
  listModels,
  showModelTool,
  listAnomalies,
  explainAnomaly,
  findCause,
  listChanges,
  report,
  forecast,
  capacity,
  errorBudgets,
  detectPoints,
  listBuckets,
  exploreBucket,
  readBucket,
  giveFeedback,
  trainModel,
  startModel,
  stopModel,
  createModel,
  muteModel,
];

/** @returns undefined where there is no tool of that name */
export function findTool(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}

/** `list_models` for `list_model`. */
export function suggestTool(name: string): string | undefined {
  return suggestClosest(
    name,
    tools.map((tool) => tool.name),
  );
}
