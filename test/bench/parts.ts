// Parts of the benchmark, in the order in which they run.
import { buckets } from "./buckets.ts";
import { cluster, takeover } from "./cluster.ts";
import { columns } from "./columns.ts";
import { curves } from "./curves.ts";
import { dashboard } from "./dashboard.ts";
import { databases } from "./databases.ts";
import { fleet } from "./fleet.ts";
import { growthOfJobs, growthOfModels } from "./growth.ts";
import { http } from "./http.ts";
import { httpParts } from "./http-parts.ts";
import { gets } from "./http-stores.ts";
import { lines } from "./lines.ts";
import { live } from "./live.ts";
import { localBucket } from "./local.ts";
import { localGrowth } from "./local-growth.ts";
import type { Part } from "./part.ts";
import { promql } from "./promql.ts";
import { receiverShapes, receivers } from "./receivers.ts";
import { records } from "./records.ts";
import { growthOfWindows, scoring } from "./scoring.ts";
import { stalls } from "./stalls.ts";
import { start } from "./start.ts";
import { stateless } from "./stateless.ts";
import { steps } from "./steps.ts";
import { trainings } from "./trainings.ts";

export const parts: readonly Part[] = [
  steps,
  trainings,
  curves,
  scoring,
  start,
  dashboard,
  http,
  httpParts,
  gets,
  live,
  fleet,
  lines,
  receivers,
  receiverShapes,
  promql,
  localBucket,
  columns,
  buckets,
  stateless,
  growthOfWindows,
  growthOfModels,
  growthOfJobs,
  databases,
  records,
  cluster,
  takeover,
  stalls,
  localGrowth,
];
