// The files of deploy/: programs that read them accept them, and what they name exists.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { gaugeName, modelGauges } from "../../src/resources/live/model-metrics.ts";
import { readSettings } from "../../src/settings/load.ts";
import { createMeter } from "../../src/telemetry/meter.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = resolve(import.meta.dir, "../..");
const deploy = join(root, "deploy");
const read = (name: string) => readFileSync(join(deploy, name), "utf8");
const has = (program: string) => {
  if (Bun.which(program)) return true;
  console.warn(`deploy/ not tried with ${program}: it is not installed`);
  return false;
};

async function run(...command: string[]): Promise<{ exitCode: number; output: string }> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { exitCode: await child.exited, output: output.join("\n") };
}

/** Names of all metrics of a server, with those a histogram is made of. */
async function listMetrics(): Promise<Set<string>> {
  const empty = { jobs: [], models: 0, buckets: 0, live: 0, anomalies: 0, outbox: 0 };
  const meter = createMeter({
    version: "0",
    startedAt: 0,
    countRows: async () => empty,
    countStreams: () => 0,
    measureUsage: () => ({ rssBytes: 0, cpuSeconds: 0 }),
    nodeState: () => ({ nodes: 1, shards: 1024, leaseMs: 5000, clockSkewMs: 0, feedAgeMs: 0 }),
  });
  const types = [...(await meter.render()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(types.flatMap(([, name, type]) => (type === "histogram" ? [`${name}_bucket`] : [name!])));
}

const metricsIn = (text: string) => text.match(/\b(torus|process)_[a-z_]+\b/g) ?? [];

test.each(["alerts.yml", "grafana-dashboard.json"])("%s asks for metrics that exist", async (name) => {
  const known = new Set([...(await listMetrics()), ...Object.keys(modelGauges).map(gaugeName)]);
  const used = name.endsWith("json")
    ? JSON.stringify(JSON.parse(read(name)).panels)
    : (parse(read(name)).groups as { rules: { expr: string }[] }[])
        .flatMap(({ rules }) => rules.map(({ expr }) => expr))
        .join("\n");
  expect(metricsIn(used).length).toBeGreaterThan(10);
  expect(metricsIn(used).filter((metric) => !known.has(metric))).toEqual([]);
});

test("every metric of the server is on the dashboard, but the few that say who it is", async () => {
  const shown = new Set(metricsIn(read("grafana-dashboard.json")));
  const left = [...(await listMetrics())].filter((metric) => !shown.has(metric));
  expect(left.sort()).toEqual(["process_start_time_seconds", "torus_buckets"]);
});

test("panels of the dashboard have ids of their own and do not overlap", () => {
  const { panels } = JSON.parse(read("grafana-dashboard.json")) as {
    panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[];
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test.skipIf(!has("promtool"))("Prometheus accepts the alert rules and the scrape configuration", async () => {
  const rules = await run("promtool", "check", "rules", join(deploy, "alerts.yml"));
  expect(rules).toMatchObject({ exitCode: 0 });
  for (const name of ["prometheus.yml", "stack/prometheus.yml", "stack/prometheus-cluster.yml"]) {
    const config = await run("promtool", "check", "config", "--syntax-only", join(deploy, name));
    expect([name, config]).toMatchObject([name, { exitCode: 0 }]);
  }
});

/** Values of series each minute for half an hour: `a+bxn` counts up; what each alert of a cluster needs to fire. */
const troubles: Readonly<Record<string, readonly (readonly [series: string, good: string, bad: string])[]>> =
  {
    TorusEvaluationsRefused: [
      ['torus_live_evaluations_total{instance="a", outcome="recorded"}', "0+1000x30", "0+1000x30"],
      ['torus_live_refused_total{instance="a"}', "0+9x30", "0+11x30"],
    ],
    TorusShardsWithoutOwner: [
      ['torus_node_shards{job="torus", instance="a"}', "512x30", "512x30"],
      ['torus_node_shards{job="torus", instance="b"}', "512x30", "511x30"],
    ],
    TorusWritesConflict: [
      ['torus_store_writes_total{instance="a"}', "0+100x30", "0+100x30"],
      ['torus_store_retries_total{instance="a"}', "0+19x30", "0+21x30"],
    ],
    TorusFeedOld: [['torus_feed_age_seconds{instance="a"}', "4x30", "6x30"]],
    TorusClockSkew: [['torus_node_clock_skew_seconds{instance="a"}', "1.9x30", "-2.1x30"]],
  };

test.skipIf(!has("promtool"))("alerts of a cluster fire at their limits, and not before", async () => {
  const { groups } = parse(read("alerts.yml")) as { groups: { name: string; rules: { alert: string }[] }[] };
  const rules = groups.find(({ name }) => name === "torus-cluster")!.rules.map(({ alert }) => alert);
  expect(Object.keys(troubles)).toEqual(rules);
  const ask = (alert: string, bad: boolean) => ({
    interval: "1m",
    input_series: troubles[alert]!.map(([series, ...values]) => ({ series, values: values[Number(bad)]! })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(0)`,
        eval_time: "29m",
        exp_samples: [{ labels: "{}", value: Number(bad) }],
      },
    ],
  });
  const file = join(temporaryFolder(), "alerts.test.json");
  const tests = rules.flatMap((alert) => [ask(alert, false), ask(alert, true)]);
  writeFileSync(file, JSON.stringify({ rule_files: [join(deploy, "alerts.yml")], tests }));
  expect(await run("promtool", "test", "rules", file)).toMatchObject({ exitCode: 0 });
});

test.skipIf(!has("systemd-analyze"))("systemd accepts the unit", async () => {
  const dir = temporaryFolder();
  const unit = join(dir, "torus.service");
  // The binary is not installed here; everything else is as it is.
  writeFileSync(unit, read("torus.service").replaceAll("/usr/local/bin/torus", process.execPath));
  const { output } = await run("systemd-analyze", "verify", unit);
  expect(output.split("\n").filter((line) => line.includes("torus.service"))).toEqual([]);
});

interface Stack {
  readonly services: Record<
    string,
    {
      volumes?: string[];
      depends_on?: object;
      build?: { dockerfile: string };
      environment?: Record<string, string>;
      ports?: string[];
    }
  >;
  readonly volumes: object;
}

test("the stack mounts files that exist, and volumes and services it declares", () => {
  const { services, volumes } = parse(read("stack/compose.yml")) as Stack;
  expect(Object.keys(services).sort()).toEqual(["grafana", "influxdb", "prometheus", "telegraf", "torus"]);
  for (const { volumes: mounts = [], depends_on = {}, build } of Object.values(services)) {
    for (const mount of mounts) {
      const [source = ""] = mount.split(":");
      const known = source.startsWith(".") ? existsSync(join(deploy, "stack", source)) : source in volumes;
      expect([mount, known]).toEqual([mount, true]);
    }
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const name of needed) expect(Object.keys(services)).toContain(name);
    if (build) expect(existsSync(join(root, build.dockerfile))).toBe(true);
  }
});

function readStackSettings(env: Readonly<Record<string, string>> = {}) {
  const file = join(deploy, "stack/torus.yml");
  return readSettings({
    argv: ["--config", file, "--check-config"],
    env: { HOME: "/nonexistent", TORUS_TOKEN: "0123456789abcdef".repeat(4), ...env },
    readFile: (path) => readFileSync(path, "utf8"),
  });
}

test("the server accepts the stack's settings", () => {
  expect(readStackSettings().action).toBe("check");
});

test("the servers of the cluster differ in name, port and folder alone; their settings are accepted", () => {
  const { services, volumes } = parse(read("stack/cluster.yml"), { merge: true }) as Stack;
  const base = parse(read("stack/compose.yml")) as Stack;
  const [first, second] = [services.torus!, services["torus-2"]!];
  const environment = { ...base.services.torus!.environment, ...first.environment };
  expect(second).toEqual({
    ...base.services.torus,
    environment: { ...environment, TORUS_NODE_NAME: "torus-2" },
    ports: ["127.0.0.1:8078:8077"],
    volumes: ["torus-2:/data", "./torus.yml:/etc/torus/torus.yml:ro"],
    depends_on: { ...base.services.torus!.depends_on, ...first.depends_on },
  });
  for (const service of Object.values(services))
    for (const mount of service.volumes ?? []) {
      const [source = ""] = mount.split(":");
      const known = source.startsWith(".") ? existsSync(join(deploy, "stack", source)) : source in volumes;
      expect([mount, known]).toEqual([mount, true]);
    }
  const { TORUS_STORAGE_URL = "", TORUS_NODE_NAME = "" } = first.environment!;
  const [PG_PASSWORD, TORUS_KEY] = ["pw", Buffer.alloc(32, 1).toString("base64")];
  const url = TORUS_STORAGE_URL.replace(`\${PG_PASSWORD}`, PG_PASSWORD);
  const { settings } = readStackSettings({ TORUS_KEY, TORUS_NODE_NAME, TORUS_STORAGE_URL: url });
  expect(settings).toMatchObject({
    nodeName: "torus",
    postgres: { url: "postgres://torus:pw@postgres:5432/torus" },
  });
  expect(services.postgres!.environment).toMatchObject({ POSTGRES_USER: "torus", POSTGRES_DB: "torus" });
  const targets = [...read("stack/prometheus-cluster.yml").matchAll(/targets: (.*)/g)].map(
    ([, list]) => list,
  );
  expect(targets).toEqual(['["torus:8077", "torus-2:8077"]', '["torus:8077", "torus-2:8077"]']);
});

test("files that the image is built from exist", () => {
  const lines = read("Dockerfile").split("\n");
  expect(lines.filter((line) => line.startsWith("USER"))).toEqual(["USER torus"]);
  expect(existsSync(join(deploy, "Dockerfile.dockerignore"))).toBe(true);
  for (const script of ["build"])
    expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts).toHaveProperty(script);
});
