// Prints how many live evaluations a second one server sustains: models on local buckets, every one due each interval.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/cli/client.ts";
import { phaseOf } from "../../src/core/tick.ts";
import { createLog } from "../../src/log.ts";
import { startServices } from "../../src/services.ts";
import { readSettings } from "../../src/settings.ts";
import { openStore } from "../../src/store/open.ts";

const MODELS = Number(Bun.argv[2] ?? 5000);
const INTERVAL_S = Number(Bun.argv[3] ?? 10);
const SECONDS = Number(Bun.argv[4] ?? 60);
const HISTORY = 600;
/** Series that the models share among them. */
const SERIES = 50;

const dir = mkdtempSync(join(tmpdir(), "bench-live-"));
const argv = ["--listen", "127.0.0.1:0", "--data-dir", dir, "--workers", "1"];
const command = readSettings({ argv, env: {}, readFile: () => "" });
if (command.action !== "serve") throw new Error(command.action);
const settings = command.settings;
const log = createLog({ level: "error", write: (line) => console.error(line), now: () => Date.now() });

async function start() {
  const services = await startServices(settings, log);
  const baseUrl = services.url.replace(/\/$/, "");
  return { services, client: createClient({ baseUrl, sleep: () => Bun.sleep(20) }) };
}
let { services, client } = await start();

const stepS = INTERVAL_S;
const nowS = () => Math.floor(Date.now() / 1000 / stepS) * stepS;
const value = (at: number, series: number) => 100 + 40 * Math.sin(at / stepS / 7 + series) + (at % 13) / 13;
const pointsAt = (at: number) =>
  Array.from({ length: SERIES }, (_, i) => ({ timestamp: at, [`x${i}`]: value(at, i) }));

await client.putBucket({ name: "b", type: "local" });
const startAt = nowS() - HISTORY * stepS;
for (let i = 0; i < HISTORY; i += 20) {
  const batch = Array.from({ length: 20 }, (_, k) => pointsAt(startAt + (i + k) * stepS)).flat();
  await client.waitForJob(await client.write("b", batch));
}
const settingsOf = (name: string, series: number) => ({
  name,
  type: "donut",
  default_bucket: "b",
  bucket_interval: `${stepS}s`,
  offset: `${stepS}s`,
  span: 20,
  features: [{ name: "load", metric: "avg", field: `x${series}` }],
});

/** One training, copied to all models: how well they know their series does not matter here. */
async function makeModels(): Promise<string[]> {
  await client.createModel(settingsOf("model-0", 0));
  const range = { from: startAt, to: startAt + HISTORY * stepS, max_evals: 1, epochs: 30 };
  await client.waitForJob(await client.train("model-0", range));
  await services.stop();
  const store = openStore({ dir });
  const own = (column: string) =>
    `json_set(${column}, '$.name', 'model-' || i, '$.features[0].field', 'x' || (i % ${SERIES}))`;
  store.sqlite.run(`create temp table numbers as
    with recursive n(i) as (values (1) union all select i + 1 from n where i < ${MODELS - 1}) select i from n`);
  for (const table of ["models", "versions"]) {
    const columns = (store.sqlite.query(`pragma table_info(${table})`).all() as { name: string }[]).map(
      ({ name }) => name,
    );
    const key = table === "models" ? "name" : "model";
    const values = columns.map((name) =>
      name === key ? "'model-' || i" : name === "settings" ? own("settings") : name,
    );
    store.sqlite.run(
      `insert into ${table} (${columns}) select ${values} from ${table}, numbers where ${key} = 'model-0'`,
    );
  }
  store.close();
  ({ services, client } = await start());
  return Array.from({ length: MODELS }, (_, i) => `model-${i}`);
}

interface Live {
  readonly live?: {
    readonly missed: number;
    readonly failures: number;
    readonly lag: number | null;
    readonly last_window: number | null;
  };
}

const names = await makeModels();
let written = nowS();
const feed = setInterval(async () => {
  const at = nowS();
  if (at === written) return;
  written = at;
  await client.write("b", pointsAt(at));
}, 200);
for (let i = 0; i < names.length; i += 100)
  await client.call(`POST /models/${names.slice(i, i + 100).join(";")}/_start`, {
    query: { detect_anomalies: true },
  });
const sample = async () => (await client.call<Live[]>("GET /models")).map(({ live }) => live!);
// The start is one burst: everyone is due at once.
await Bun.sleep(5 * INTERVAL_S * 1000);
const before = await sample();
if (before.some(({ last_window }) => last_window === null))
  throw new Error("too many: some were never evaluated");
const cpu = process.cpuUsage();
const measuredAt = Date.now();
await Bun.sleep(SECONDS * 1000);
const after = await sample();
const used = process.cpuUsage(cpu);
clearInterval(feed);
const windows = after.reduce(
  (sum, { last_window }, i) => sum + ((last_window ?? 0) - (before[i]!.last_window ?? 0)) / stepS,
  0,
);
const missed = after.reduce((sum, live, i) => sum + live.missed - before[i]!.missed, 0);
const failures = after.filter((live) => live.failures > 0).length;
const lags = after.map(({ lag }) => lag ?? Infinity).sort((a, b) => a - b);
console.log(
  `${(windows / SECONDS).toFixed(0)} windows/s of ${(MODELS / INTERVAL_S).toFixed(0)} due, ${missed} missed, ${failures} failing; ` +
    `lag median ${lags[lags.length >> 1]!.toFixed(1)} s, worst ${lags.at(-1)!.toFixed(1)} s; ` +
    `CPU ${((used.user + used.system) / 1e6 / SECONDS).toFixed(2)} cores`,
);
await services.stop();
const store = openStore({ dir });
const late = (
  store.sqlite
    .query("select model, evaluated_at as at from evaluations where evaluated_at >= ?")
    .all(measuredAt) as {
    model: string;
    at: number;
  }[]
)
  .map(({ model, at }) => (at - phaseOf(model, INTERVAL_S * 1000)) % (INTERVAL_S * 1000))
  .sort((a, b) => a - b);
store.close();
const share = (part: number) => late[Math.floor(late.length * part)]!;
console.log(`start after the slot: median ${share(0.5)} ms, 99 % ${share(0.99)} ms`);
rmSync(dir, { recursive: true });
