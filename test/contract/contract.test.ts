// Runs the contract tables against a server of this process, or against TORUS_CONTRACT_BASE.
import { afterAll, beforeAll } from "bun:test";
import { anomalies } from "./anomalies.ts";
import { autoModels } from "./auto-models.ts";
import { backtests } from "./backtests.ts";
import { bin } from "./bin.ts";
import { buckets } from "./buckets.ts";
import { calendars } from "./calendars.ts";
import { changes } from "./changes.ts";
import { clients } from "./clients.ts";
import { detections } from "./detections.ts";
import { fleets } from "./fleets.ts";
import { hooks } from "./hooks.ts";
import { hostNames } from "./host-names.ts";
import { jobs } from "./jobs.ts";
import { legacyModels } from "./legacy-models.ts";
import { mcp } from "./mcp.ts";
import { modelTransfer } from "./model-transfer.ts";
import { models } from "./models.ts";
import { preconditions } from "./preconditions.ts";
import { requests } from "./requests.ts";
import { root } from "./root.ts";
import { scheduledJobs } from "./scheduled-jobs.ts";
import { series } from "./series.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { runTable } from "./suite.ts";
import { templates } from "./templates.ts";
import { tokens } from "./tokens.ts";

const given = process.env.TORUS_CONTRACT_BASE;
const tables = [
  root,
  requests,
  buckets,
  models,
  legacyModels,
  autoModels,
  anomalies,
  backtests,
  detections,
  preconditions,
  series,
  fleets,
  modelTransfer,
  calendars,
  changes,
  templates,
  bin,
  hooks,
  hostNames,
  jobs,
  mcp,
  scheduledJobs,
  clients,
  // A failure within would leave the server locked.
  ...(given ? [] : [tokens]),
];
let server: TestServer | undefined;
let base = given ?? "";

beforeAll(async () => {
  if (given) return;
  server = await startTestServer();
  base = server.url;
});

afterAll(() => server?.stop());

for (const table of tables) runTable(table, () => base);
