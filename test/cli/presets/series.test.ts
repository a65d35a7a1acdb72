// Presets on what their exporters write: each model finds its series, with the tags that it groups by.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { presets } from "../../../src/cli/presets/index.ts";
import type { PlannedModel } from "../../../src/cli/presets/plan.ts";
import type { Preset } from "../../../src/cli/presets/preset.ts";
import { mosquittoMissing, startMosquitto } from "../../support/mosquitto.ts";
import { type MetricServer, prometheusMissing, startPrometheus } from "../../support/prometheus.ts";
import { useSession } from "../session.ts";

setDefaultTimeout(180_000);

const session = useSession();
const folder = resolve(import.meta.dir, "../../data/presets");
const ofTelegraf = (preset: Preset) => preset.name.startsWith("telegraf");
const zigbee = presets.find(({ name }) => name === "zigbee2mqtt")!;
const cases = (chosen: readonly Preset[]) => chosen.map((preset) => [preset.name, preset] as const);

/** Models that a preset plans for a bucket: one per model of the preset, of one part each. */
async function plan(bucket: string, preset: Preset): Promise<PlannedModel[]> {
  const { code, out, err } = await session.torus(`watch ${bucket} --preset ${preset.name} --dry-run --json`);
  expect(`${code} ${err}`).toBe("0 ");
  const planned = JSON.parse(out) as PlannedModel[];
  expect(planned.map(({ features }) => features[0]!.name)).toEqual(preset.models.map(({ name }) => name));
  return planned;
}

/** Reads what a model would: the series with the tags of its feature, and of `group_by`. */
async function readSeries(bucket: string, { features: [feature], group_by = [] }: PlannedModel) {
  const { metric, measurement, field, match_all = [] } = feature!;
  const source = [measurement, field].filter(Boolean).join(".");
  const tags = [...new Set([...group_by, ...match_all.map(({ tag }) => tag)])];
  const read = `read-bucket ${bucket} --from now-1m --to now+10s --bucket-interval 10s`;
  const { series } = await session.json<{ series: { tags: Record<string, string>; features: object }[] }>(
    `${read} --features ${metric}(${source}) --group-by ${tags.join(";")}`,
  );
  const own = series.filter(({ tags }) => match_all.every(({ tag, value }) => tags[tag] === value));
  return own.map(({ tags }) => group_by.map((tag) => tags[tag]));
}

/** Expects series, one of them with all tags: another exporter may have the same metric with other tags. */
async function expectSeries(bucket: string, planned: PlannedModel): Promise<void> {
  const series = await readSeries(bucket, planned);
  const isWhole = series.some((values) => values.every(Boolean));
  expect([planned.name, series.length > 0, isWhole]).toEqual([planned.name, true, true]);
}

describe("in a local bucket", () => {
  beforeAll(async () => {
    for (const { name } of presets.filter(ofTelegraf)) {
      await session.ok("create-bucket -", { input: JSON.stringify({ name, type: "local" }) });
      const lines = readFileSync(join(folder, `${name}.lp`), "utf8").split("\n");
      const points = lines.filter((line) => line !== "" && !line.startsWith("#"));
      const times = Array.from({ length: 6 }, (_, i) => Math.floor(Date.now() / 1000) - 10 * (i + 1));
      const body = times.flatMap((at) => points.map((point) => `${point} ${at}000000000`)).join("\n");
      expect((await fetch(`${session.url}/write?db=${name}`, { method: "POST", body })).status).toBe(204);
    }
  });

  test.each(cases(presets.filter(ofTelegraf)))("%s", async (bucket, preset) => {
    for (const planned of await plan(bucket, preset)) await expectSeries(bucket, planned);
  });
});

describe.skipIf(mosquittoMissing !== undefined)(`in an mqtt bucket ${mosquittoMissing ?? ""}`, () => {
  test(zigbee.name, async () => {
    const broker = await startMosquitto();
    try {
      const topics = [{ topic: "zigbee2mqtt/{device}", format: "json" }];
      const input = JSON.stringify({ name: "home", type: "mqtt", addr: broker.addr, topics });
      await session.ok("create-bucket -", { input });
      const lines = readFileSync(join(folder, "zigbee2mqtt.messages"), "utf8").split("\n");
      const messages = lines.filter((line) => line.startsWith("zigbee2mqtt/"));
      const publish = async () => {
        for (const line of messages) {
          const at = line.indexOf(" ");
          await broker.publish(line.slice(0, at), line.slice(at + 1));
        }
      };
      // The first ones may come before the subscription.
      const isStored = async () => {
        await publish();
        return (await session.torus("explore-bucket home")).out.includes("power");
      };
      while (!(await isStored())) await Bun.sleep(100);
      for (const planned of await plan("home", zigbee)) await expectSeries("home", planned);
    } finally {
      await session.torus("delete-bucket home --yes");
      await broker.stop();
    }
  });
});

describe.skipIf(prometheusMissing !== undefined)(`in Prometheus ${prometheusMissing ?? ""}`, () => {
  const scraped = presets.filter((preset) => !ofTelegraf(preset) && preset !== zigbee);
  let prometheus: MetricServer;
  const exporters = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      new Response(readFileSync(join(folder, `${new URL(request.url).pathname.slice(1)}.prom`)), {
        headers: { "Content-Type": "text/plain; version=0.0.4" },
      }),
  });

  /** Values of an instant query. */
  async function query(text: string): Promise<number[]> {
    const body = new URLSearchParams({ query: text });
    const response = await fetch(`http://${prometheus.addr}/api/v1/query`, { method: "POST", body });
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
    return data.result.map(({ value }) => Number(value[1]));
  }

  beforeAll(async () => {
    const scrape = scraped.map(({ name }) => ({
      job_name: name,
      scrape_interval: "1s",
      scrape_timeout: "1s",
      metrics_path: `/${name}`,
      honor_labels: true,
      static_configs: [{ targets: [`127.0.0.1:${exporters.port}`] }],
    }));
    prometheus = await startPrometheus({ scrape });
    const input = JSON.stringify({ name: "prom", type: "prometheus", addr: prometheus.addr });
    await session.ok("create-bucket -", { input });
    const isRead = async () => (await query("count(sum_over_time(up[1m]) >= 12)"))[0] === scraped.length;
    while (!(await isRead())) await Bun.sleep(200);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await exporters.stop(true);
  });

  test.each(cases(scraped))("%s", async (name, preset) => {
    const types = new Map(
      [...readFileSync(join(folder, `${name}.prom`), "utf8").matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
        ([, metric, type]) => [metric!, type!],
      ),
    );
    for (const planned of await plan("prom", preset)) {
      const [feature] = planned.features;
      if (feature!.query) {
        const values = await query(feature!.query.replaceAll("{interval}", "10s"));
        // A histogram without new observations has no quantile.
        expect([planned.name, values.length]).toEqual([planned.name, 1]);
        continue;
      }
      await expectSeries("prom", planned);
      const isRate = feature!.metric === "rate";
      const type = types.get(feature!.field!)!;
      // Of shares the level counts, whatever their type.
      if (type !== "untyped" && feature!.max === undefined)
        expect([planned.name, isRate]).toEqual([planned.name, type === "counter"]);
    }
  });
});
