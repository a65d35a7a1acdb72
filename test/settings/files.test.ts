// Settings files in use: files of older versions start the server, invalid ones name the mistake.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Services, startServices } from "../../src/app/services.ts";
import { readSettings, type ServerSettings } from "../../src/settings/load.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { temporaryFolder } from "../support/folder.ts";
import { runServer, startServer } from "../support/server-process.ts";

const files = join(import.meta.dir, "../data/config");
const dir = temporaryFolder();

function read(file: string, ...argv: string[]): ServerSettings {
  const { settings } = readSettings({
    argv: ["--config", join(files, file), ...argv],
    env: { HOME: "/ada", SHOP_PASSWORD: "hunter2" },
    readFile: (path) => readFileSync(path, "utf8"),
  });
  return settings;
}

const cases: [string, string[], Partial<ServerSettings>][] = [
  [
    "single-host.yml",
    [],
    {
      listen: { host: "localhost", port: 8077 },
      workers: 2,
      dataDir: "/var/lib/loudml",
      jobs: {
        ttlMs: 3_600_000,
        maxWaiting: 1000,
        maxFinished: 10_000,
        resultBytes: 67_108_864,
        resultsBytes: 268_435_456,
      },
      training: { steps: 2000, batchSize: 128, epochs: 50 },
      logLevel: "debug",
      ignored: [
        "server.maxtasksperchild",
        "server.mse_rtol",
        "server.mq_bus",
        "training.num_cpus",
        "training.num_gpus",
        "training.nice",
        "inference.num_cpus",
        "inference.num_gpus",
        "metrics",
        "license",
        "logging",
      ],
    },
  ],
  ["container.yml", ["--insecure"], { listen: { host: "0.0.0.0", port: 8077 }, ignored: [] }],
  [
    "flattened.yml",
    [],
    {
      listen: { host: "127.0.0.1", port: 9000 },
      dataDir: "/srv/state",
      workers: 1,
      training: { steps: 2000, batchSize: 64, epochs: 20 },
      defined: [],
      scheduledJobs: [],
      logLevel: "info",
      ignored: ["training.nice", "inference.num_cpus", "metrics"],
    },
  ],
  ["scheduled.yml", [], { timezone: "Europe/Paris", ignored: [] }],
];

describe.each(cases)("%s", (file, argv, expected) => {
  test("means what it says", () => {
    expect(read(file, ...argv)).toMatchObject(expected as never);
  });

  test("starts the server", async () => {
    const services = await start(read(file, ...argv));
    const names = read(file, ...argv).defined.map(({ resource }) => resource.settings.name as string);
    const answer = await get(services, "buckets");
    expect(answer.map(({ name }) => name)).toEqual(names.sort());
    expect(JSON.stringify(answer)).not.toContain("hunter2");
    await services.stop();
  });
});

const start = (settings: ServerSettings): Promise<Services> => {
  const log = createLog({ level: "error", write: () => {}, now: () => 0 });
  return startServices(
    { ...settings, listen: { host: "127.0.0.1", port: 0 }, dataDir: temporaryFolder() },
    log,
  );
};
const get = async ({ url }: Services, path: string) =>
  (await (await fetch(`${url}${path}`)).json()) as { name: string; [key: string]: unknown }[];

test("scheduled jobs of a file follow the models, and survive restarts", async () => {
  const settings = { ...read("scheduled.yml"), dataDir: temporaryFolder() };
  const run = async (work: (services: Services) => Promise<void>) => {
    const log = createLog({ level: "error", write: () => {}, now: () => 0 });
    const services = await startServices({ ...settings, listen: { host: "127.0.0.1", port: 0 } }, log);
    await work(services);
    await services.stop();
  };
  const names = async (services: Services) => (await get(services, "scheduled_jobs")).map(({ name }) => name);
  const both = ["hourly forecast(m)", "keep awake", "train(m)"];
  await run(async (services) => {
    expect(await names(services)).toEqual(["keep awake"]);
    const features = [{ name: "f", metric: "avg", field: "x" }];
    const model = { name: "m", type: "donut", default_bucket: "data", bucket_interval: "5m", features };
    const headers = { "content-type": "application/json" };
    await fetch(`${services.url}models`, { method: "POST", headers, body: JSON.stringify(model) });
    expect(await names(services)).toEqual(both);
    expect(await get(services, "scheduled_jobs/train(m)")).toMatchObject([
      { relative_url: "/models/m/_train" },
    ]);
  });
  await run(async (services) => {
    expect(await names(services)).toEqual(both);
    await fetch(`${services.url}models/m`, { method: "DELETE" });
    expect(await names(services)).toEqual(["keep awake"]);
  });
});

describe("the process", () => {
  const bad: [string, string[]][] = [
    ["bad-key.yml", ["server.lisen is unknown", "did you mean listen?"]],
    ["bad-bucket.yml", ["buckets.1", "did you mean influxdb?"]],
    ["bad-schedule.yml", ["scheduled_jobs.0.every.at", "HH:MM"]],
    ["container.yml", ["server.listen", "--insecure"]],
  ];
  test.each(bad)("--check-config and start both refuse %s with exit code 2", async (file, texts) => {
    for (const flags of [["--check-config"], []]) {
      const dataDir = temporaryFolder();
      const args = ["--config", join(files, file), ...flags];
      const listen = file === "container.yml" ? ["--listen", "0.0.0.0:0"] : [];
      const { exitCode, output } = await runServer({ dataDir, args: [...args, ...listen] });
      for (const text of texts) expect(output).toContain(text);
      expect(output).not.toContain("hunter2");
      expect(exitCode).toBe(2);
    }
  });

  test("a scheduled job for a path that there is not is refused at the start, and at a reload", async () => {
    const refused =
      "scheduled_jobs.1.relative_url: the path does not exist; did you mean /models/model/_train?";
    const dataDir = temporaryFolder();
    const args = ["--config", join(files, "bad-path.yml")];
    const { exitCode, output } = await runServer({ dataDir, args });
    expect([exitCode, output]).toEqual([2, expect.stringContaining(refused)]);
    const log = createLog({ level: "error", write: () => {}, now: () => 0 });
    const settings = { ...read("scheduled.yml"), dataDir, listen: { host: "127.0.0.1", port: 0 } };
    const services = await startServices(settings, log);
    const { scheduledJobs } = read("bad-path.yml");
    await expect(services.reload({ ...settings, scheduledJobs })).rejects.toThrow(refused);
    expect((await get(services, "scheduled_jobs")).map(({ name }) => name)).toEqual(["keep awake"]);
    await services.stop();
  });

  test("--check-config has nothing against a good file", async () => {
    const args = ["--config", join(files, "scheduled.yml"), "--check-config"];
    const { exitCode, output } = await runServer({ dataDir: dir, args });
    expect([exitCode, output.trim()]).toEqual([
      0,
      "settings are fine\nthe paths of scheduled_jobs are checked by the start",
    ]);
  });

  test("says of each setting that has no effect any more that it has none, once", async () => {
    const dataDir = temporaryFolder();
    const server = await startServer({ dataDir, args: ["--config", join(files, "flattened.yml")] });
    await server.stop();
    const told = server.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === "warn");
    expect(told.map(({ setting }) => setting)).toEqual(["training.nice", "inference.num_cpus", "metrics"]);
  });
});
