// A fleet on a real Prometheus that scrapes 40 targets: it is started without a training, and trains itself.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { type Exporter, startExporter } from "../support/exporter.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type MetricServer, prometheusMissing, startPrometheus } from "../support/prometheus.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { isServerRequired } from "../support/spawned.ts";

const SETUP_MS = 60_000;
const TEST_MS = 180_000;
const POLL_MS = 100;
const TARGETS = 40;
const ODD = 98_765;

if (prometheusMissing) console.log(prometheusMissing);

interface Counts {
  readonly new: number;
  readonly watched: number;
  readonly anomalous: number;
  readonly silent: number;
  readonly failed: number;
}
interface View {
  readonly state: { readonly trained: boolean; readonly series?: Counts };
  readonly live?: { readonly failures: number };
}
interface Series {
  readonly tags: Record<string, string>;
  readonly state: string;
}

describe.skipIf(prometheusMissing !== undefined && !isServerRequired)("a fleet in Prometheus", () => {
  let exporter: Exporter;
  let prometheus: MetricServer;
  let server: ServerProcess;
  let client: Client;

  const addTarget = (index: number) => {
    const value = () => 10 + index + Math.sin(Date.now() / 3000) + Math.random() / 5;
    exporter.targets.set(`h${index}:9100`, value);
  };
  const view = async () => (await client.call<View[]>("GET /models/fleet"))[0]!;
  const seriesIn = (state: string) =>
    client.call<Series[]>(`GET /models/fleet/series?state=${state}&per_page=100`);
  const until = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) await Bun.sleep(POLL_MS);
  };

  beforeAll(async () => {
    exporter = startExporter("load");
    for (let i = 0; i < TARGETS; i++) addTarget(i);
    prometheus = await startPrometheus({ scrape: [exporter.scrape] });
    server = await startServer({ dataDir: temporaryFolder(), env: { TORUS_TRAINING_STEPS: "60" } });
    client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
    await client.putBucket({ name: "b", type: "prometheus", addr: prometheus.addr });
    await client.createModel({
      name: "fleet",
      type: "donut",
      detector: "auto",
      default_bucket: "b",
      bucket_interval: "1s",
      span: 12,
      max_evals: 1,
      offset: "1s",
      group_by: ["instance"],
      silence: "6s",
      max_threshold: 40,
      min_threshold: 20,
      features: [
        { name: "load", metric: "avg", field: "load" },
        { name: "peak", query: "max by (instance) (max_over_time(load[{interval}]))" },
      ],
    });
    await client.call("POST /models/fleet/_start", { query: { detect_anomalies: true }, status: 204 });
  }, SETUP_MS);
  afterAll(async () => {
    await server?.kill();
    await prometheus?.stop();
    await exporter?.stop();
  });

  test(
    "it trains itself once there are enough points, and watches all",
    async () => {
      await until(async () => (await view()).state.series?.watched === TARGETS);
      expect(await view()).toMatchObject({ state: { trained: true }, live: { failures: 0 } });
    },
    TEST_MS,
  );

  test(
    "a Prometheus scrapes the last values of every series",
    async () => {
      const { host } = new URL(server.url);
      const job = { job_name: "models", metrics_path: "/metrics/models", scrape_interval: "1s" };
      const scraper = await startPrometheus({ scrape: [{ ...job, static_configs: [{ targets: [host] }] }] });
      const ask = async (query: string) => {
        const answer = await fetch(`http://${scraper.addr}/api/v1/query?${new URLSearchParams({ query })}`);
        const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
        return data.result.map(({ value }) => Number(value[1]));
      };
      try {
        await until(
          async () => (await ask('count(torus_model_observed{model="fleet",feature="load"})'))[0] === TARGETS,
        );
        const distance = 'torus_model_observed{feature="load"} - torus_model_expected';
        expect(await ask(`count(abs(${distance}) < 5)`)).toEqual([TARGETS]);
        expect(await ask("max(torus_model_lag_seconds) < 60")).toHaveLength(1);
        expect(await ask("count(torus_model_score <= 100 and torus_model_anomaly <= 1)")).toEqual([TARGETS]);
        // A tag beside the label that a scrape adds: Prometheus keeps both.
        expect(await ask(`count(count by (exported_instance) (torus_model_anomaly))`)).toEqual([TARGETS]);
      } finally {
        await scraper.stop();
      }
    },
    TEST_MS,
  );

  test(
    "a target that is new is seen at once",
    async () => {
      addTarget(TARGETS);
      await until(async () => (await seriesIn("new")).length > 0);
      expect(await seriesIn("new")).toMatchObject([{ tags: { instance: `h${TARGETS}:9100` } }]);
    },
    TEST_MS,
  );

  test(
    "a target that goes odd is an anomaly of its own",
    async () => {
      exporter.targets.set("h7:9100", () => ODD);
      const anomalies = () => client.call<object[]>("GET /models/fleet/anomalies?series=instance:h7\\:9100");
      const isOdd = (anomaly: object) => JSON.stringify(anomaly).includes(`:${ODD}`);
      await until(async () => (await anomalies()).some(isOdd));
      expect((await anomalies()).find(isOdd)).toMatchObject({ series: { instance: "h7:9100" } });
      const instances = (await seriesIn("anomalous")).map(({ tags }) => tags.instance);
      expect(instances).toContain("h7:9100");
    },
    TEST_MS,
  );

  test(
    "a target that is removed is silent, and it alone",
    async () => {
      exporter.targets.delete("h8:9100");
      await until(async () => (await seriesIn("silent")).length > 0);
      expect(await seriesIn("silent")).toMatchObject([{ tags: { instance: "h8:9100" } }]);
    },
    TEST_MS,
  );
});
