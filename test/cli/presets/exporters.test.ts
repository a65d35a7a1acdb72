// Presets on real exporters, scraped by a real Prometheus: what they expose now is what the presets look for.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { presets } from "../../../src/cli/presets/index.ts";
import type { PlannedModel } from "../../../src/cli/presets/plan.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { owner, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { prometheusMissing, startPrometheus } from "../../support/prometheus.ts";
import { findFreePort, makeFolder, spawnServer } from "../../support/spawned.ts";
import { useSession } from "../session.ts";

setDefaultTimeout(120_000);

const session = useSession();

/** Why tests with a program cannot run here; undefined where they can. */
function missing(program: string): string | undefined {
  if (prometheusMissing || Bun.which(program)) return prometheusMissing;
  return `${program} is not installed (apt-get install -y --no-install-recommends ${program}); its tests are skipped`;
}

interface Exporter {
  readonly command: readonly string[];
  readonly port: number;
  /** Rest of its scrape configuration. */
  readonly scrape?: object;
}

/** Starts an exporter and a Prometheus, and plans the preset. @returns the parts of planned models, and the notes */
async function planOn(preset: string, { command, port, scrape }: Exporter) {
  const stop = await spawnServer({
    dir: makeFolder(preset),
    command,
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).ok,
  });
  const job = { job_name: preset, scrape_interval: "1s", scrape_timeout: "1s" };
  const targets = [`127.0.0.1:${port}`];
  const prometheus = await startPrometheus({
    scrape: [{ ...job, static_configs: [{ targets }], ...scrape }],
  });
  try {
    const query = `http://${prometheus.addr}/api/v1/query?query=up%20==%201`;
    while (!(await (await fetch(query)).text()).includes('"value"')) await Bun.sleep(100);
    const bucket = { name: preset, type: "prometheus", addr: prometheus.addr };
    await session.ok("create-bucket -", { input: JSON.stringify(bucket) });
    const { out, err } = await session.torus(`watch ${preset} --preset ${preset} --dry-run --json`);
    const planned = JSON.parse(out) as PlannedModel[];
    return { names: [...new Set(planned.map(({ features }) => features[0]!.name))], err };
  } finally {
    await prometheus.stop();
    await stop();
  }
}

const namesOf = (name: string) =>
  presets.find((preset) => preset.name === name)!.models.map((model) => model.name);

const node = "prometheus-node-exporter";
const noNode = missing(node);
describe.skipIf(noNode !== undefined)(`node_exporter ${noNode ?? ""}`, () => {
  test("every model has series, those of devices and mounts as far as the machine has them", async () => {
    const port = findFreePort();
    const command = [node, `--web.listen-address=127.0.0.1:${port}`];
    const { names } = await planOn("node_exporter", { command, port });
    expect(names).toContainValues(["cpu_idle", "load", "memory_available"]);
    expect(namesOf("node_exporter")).toContainValues(names);
  });
});

const blackbox = "prometheus-blackbox-exporter";
const noBlackbox = missing(blackbox);
describe.skipIf(noBlackbox !== undefined)(`blackbox_exporter ${noBlackbox ?? ""}`, () => {
  test("a probe without TLS has all but the certificate", async () => {
    const port = findFreePort();
    const config = join(temporaryFolder(), "config.yml");
    await Bun.write(config, JSON.stringify({ modules: { tcp: { prober: "tcp" } } }));
    const command = [blackbox, `--web.listen-address=127.0.0.1:${port}`, `--config.file=${config}`];
    const scrape = { metrics_path: "/probe", params: { module: ["tcp"], target: [`127.0.0.1:${port}`] } };
    const { names, err } = await planOn("blackbox", { command, port, scrape });
    expect(names).toEqual(["probe_duration", "probe_success"]);
    expect(err).toContain("left out: certificate_left: no probe_ssl_earliest_cert_expiry");
  });
});

const postgres = "prometheus-postgres-exporter";
const noPostgres = postgresMissing ?? missing(postgres);
describe.skipIf(noPostgres !== undefined)(`postgres_exporter ${noPostgres ?? ""}`, () => {
  test("a server has every model but the lag, which has another name before version 0.15", async () => {
    const server = await startPostgres();
    try {
      const port = findFreePort();
      const { user, password } = owner;
      const source = `postgresql://${user}:${password}@${server.addr}/postgres?sslmode=disable`;
      const listen = `--web.listen-address=127.0.0.1:${port}`;
      const command = ["env", `DATA_SOURCE_NAME=${source}`, postgres, listen];
      const { names } = await planOn("postgres", { command, port });
      const lag = "replication_lag";
      expect([...names.filter((name) => name !== lag), lag]).toEqual(namesOf("postgres"));
    } finally {
      await server.stop();
    }
  });
});

const noHaproxy = missing("haproxy");
describe.skipIf(noHaproxy !== undefined)(`haproxy ${noHaproxy ?? ""}`, () => {
  test("a frontend and a backend have every model", async () => {
    const port = findFreePort();
    const config = join(temporaryFolder(), "haproxy.cfg");
    const lines = [
      "defaults",
      "  mode http",
      ...["connect", "client", "server"].map((side) => `  timeout ${side} 5s`),
      "frontend public",
      `  bind 127.0.0.1:${port}`,
      "  http-request use-service prometheus-exporter if { path /metrics }",
      "  default_backend app",
      "backend app",
      `  server one 127.0.0.1:${findFreePort()}`,
    ];
    await Bun.write(config, `${lines.join("\n")}\n`);
    const { names, err } = await planOn("haproxy", { command: ["haproxy", "-db", "-f", config], port });
    expect([names, err]).toEqual([namesOf("haproxy"), ""]);
  });
});

/** Whether a Redis answers. */
async function answers(port: number): Promise<boolean> {
  const client = new Bun.RedisClient(`redis://127.0.0.1:${port}`);
  try {
    return (await client.ping()) === "PONG";
  } finally {
    client.close();
  }
}

const redis = "prometheus-redis-exporter";
const noRedis = missing("redis-server") ?? missing(redis);
describe.skipIf(noRedis !== undefined)(`redis_exporter ${noRedis ?? ""}`, () => {
  test("a server has every model", async () => {
    const [server, port] = [findFreePort(), findFreePort()];
    const dir = makeFolder("redis");
    const stop = await spawnServer({
      dir,
      command: ["redis-server", "--port", `${server}`, "--bind", "127.0.0.1", "--save", "", "--dir", dir],
      isReady: () => answers(server),
    });
    try {
      const listen = ["-web.listen-address", `127.0.0.1:${port}`];
      const command = [redis, ...listen, "-redis.addr", `redis://127.0.0.1:${server}`];
      const { names, err } = await planOn("redis", { command, port });
      expect([names, err]).toEqual([namesOf("redis"), ""]);
    } finally {
      await stop();
    }
  });
});
