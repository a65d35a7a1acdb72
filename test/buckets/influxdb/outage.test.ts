// Outage: a real InfluxDB is killed while a model is live; errors are reported, and no interval is lost.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Client, createClient } from "../../../src/cli/client/client.ts";
import { useTestServer } from "../../contract/server.ts";
import { aModel } from "../../support/builders.ts";
import { admin, influxdMissing, startInfluxd } from "../../support/influxd.ts";
import { perFile } from "../../support/per-test.ts";

const HISTORY = 200;
const POLL_MS = 50;
const DEADLINE_MS = 40_000;
setDefaultTimeout(4 * DEADLINE_MS);

interface LiveView {
  readonly last_window: number | null;
  readonly failures: number;
  readonly last_error?: { readonly code: string; readonly message: string };
  readonly evaluations: readonly { readonly outcome: string }[];
}

const nowSecond = () => Math.floor(Date.now() / 1000);
const valueAt = (second: number) => 100 + 40 * Math.sin((2 * Math.PI * second) / 20);
const toPoints = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ timestamp: from + i, value: valueAt(from + i) }));

describe.skipIf(Boolean(influxdMissing))("an outage of a real InfluxDB", () => {
  const torus = useTestServer({ args: ["--workers", "1"] });
  const server = perFile(
    () => startInfluxd({ auth: true }),
    (influxd) => influxd.stop(),
  );
  let client: Client;
  beforeAll(() => {
    client = createClient({ baseUrl: torus.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
  });

  const liveOf = async () => (await client.call<{ live: LiveView }[]>("GET /models/web"))[0]!.live;
  const write = async (from: number, to: number) =>
    client.waitForJob(await client.write("points", toPoints(from, to)));

  async function until(condition: (live: LiveView) => boolean): Promise<LiveView> {
    const deadlineAt = performance.now() + DEADLINE_MS;
    for (;;) {
      const live = await liveOf();
      if (condition(live)) return live;
      if (performance.now() > deadlineAt) throw new Error(JSON.stringify({ ...live, evaluations: [] }));
      await Bun.sleep(POLL_MS);
    }
  }

  async function start(): Promise<void> {
    await client.putBucket({
      ...{ name: "points", type: "influxdb", addr: server.addr, database: "d", measurement: "m" },
      ...{ dbuser: admin.user, dbuser_password: admin.password },
    });
    await client.putBucket({ name: "saved", type: "local" });
    const now = nowSecond();
    // Far into the future, so that there are points for every interval that is to come.
    await write(now - HISTORY, now + 300);
    const features = [{ name: "load", metric: "avg", field: "value" }];
    const thresholds = { max_threshold: 90, min_threshold: 50 };
    const times = { bucket_interval: "1s", offset: "1s", span: 10 };
    await client.createModel(
      aModel({ name: "web", default_bucket: "points", ...times, ...thresholds, features }),
    );
    await client.waitForJob(
      await client.train("web", { from: now - HISTORY, to: now, max_evals: 1, epochs: 10 }),
    );
    await client.call("POST /models/web/_start", {
      query: { detect_anomalies: true, save_output_data: true, output_bucket: "saved" },
    });
  }

  async function readSaved(from: number, to: number): Promise<(number | null)[]> {
    const query = { from, to, bucket_interval: 1, features: "avg(load);avg(@load)" };
    const id = await client.call<string>("POST /buckets/saved/_read", { query });
    const { observed } = (await client.waitForJob(id)).result as { observed: Record<string, number[]> };
    const [predicted, seen] = Object.values(observed);
    return predicted!.map((value, i) => (value === null ? null : seen![i]!));
  }

  test("killed and started again: reads and writes fail by name, a live model counts and makes good", async () => {
    await start();
    const began = nowSecond();
    await until(({ last_window }) => (last_window ?? 0) > began);

    await server.kill();
    const away = await until(({ failures }) => failures >= 2);
    expect(away.last_error).toMatchObject({ code: "bucket_unavailable" });
    expect(away.evaluations.some(({ outcome }) => outcome !== "ok")).toBe(true);
    for (const attempt of [
      () => write(began, began + 1),
      async () => {
        const query = { from: began, to: began + 5, bucket_interval: 1, features: "avg(value)" };
        return client.waitForJob(await client.call<string>("POST /buckets/points/_read", { query }));
      },
      () => client.forecast("web", { from: began, to: began + 5 }),
    ]) {
      const error = await attempt().then(
        () => undefined,
        (thrown) => thrown,
      );
      const said = error.message as string;
      expect(said).toContain(`InfluxDB at ${server.addr}: refused the connection`);
    }
    const response = await fetch(`${torus.url}/models/web/_forecast?from=${began}&to=${began + 5}`, {
      method: "POST",
    });
    expect(response.status).toBe(503);
    const body = (await response.json()) as { code: string };
    expect(body).toMatchObject({ code: "bucket_unavailable" });

    await server.start();
    const back = nowSecond();
    const live = await until(({ last_window, failures }) => failures === 0 && (last_window ?? 0) > back + 1);
    await client.call("POST /models/web/_stop");
    const last = live.last_window!;
    const saved = await readSaved(began + 1, last);
    expect(saved).toHaveLength(last - began - 1);
    for (const [i, value] of saved.entries()) expect(value).toBeCloseTo(valueAt(began + 1 + i), 6);
    await write(began, began + 1);

    const views = await client.call("GET /buckets");
    const shown = [...torus.lines, JSON.stringify(views), JSON.stringify(body), JSON.stringify(away)].join(
      "\n",
    );
    expect(shown).not.toContain(admin.password);
    expect(shown).not.toContain(btoa(`${admin.user}:${admin.password}`));
  });
});
