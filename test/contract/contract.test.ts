// Runs the contract's tables: against a server of this process, or against TORUS_CONTRACT_BASE.
import { afterAll, beforeAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../src/log.ts";
import { type Services, startServices } from "../../src/services.ts";
import { readSettings } from "../../src/settings.ts";
import { buckets } from "./buckets.ts";
import { jobs } from "./jobs.ts";
import { models } from "./models.ts";
import { root } from "./root.ts";
import { runTable } from "./suite.ts";

const tables = [root, buckets, models, jobs];
const given = process.env.TORUS_CONTRACT_BASE;
const dataDir = mkdtempSync(join(tmpdir(), "torus-contract-"));
let services: Services | undefined;
let base = given ?? "";

beforeAll(async () => {
  if (given) return;
  const argv = ["--listen", "127.0.0.1:0", "--data-dir", dataDir];
  const command = readSettings({ argv, env: {}, readFile: () => "" });
  if (command.action !== "serve") throw new Error("no settings to serve with");
  services = await startServices(
    command.settings,
    createLog({ level: "error", write: () => {}, now: () => Date.now() }),
  );
  base = services.url.replace(/\/$/, "");
});

afterAll(async () => {
  await services?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

for (const table of tables) runTable(table, () => base);
