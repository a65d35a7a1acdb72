// Silence and failing sources on a real InfluxDB: a writer that stops, a store that dies, a store that hangs.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type Influxd, influxdMissing, startInfluxd } from "../support/influxd.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { isServerRequired } from "../support/spawned.ts";

const SETUP_MS = 60_000;
const TEST_MS = 150_000;
const POLL_MS = 50;
const WRITE_EVERY_MS = 200;
const HISTORY_S = 400;

if (influxdMissing) console.log(influxdMissing);

describe.skipIf(influxdMissing !== undefined && !isServerRequired)("one series in InfluxDB", () => {
  let influxd: Influxd;
  let receiver: Receiver;
  let server: ServerProcess;
  let client: Client;
  let writer: Timer | undefined;

  /** Points from now on, as an agent that drops what the store does not take. */
  const startWriter = () => {
    writer = setInterval(
      () => void influxd.write(`cpu,host=a usage=${1 + Math.random()}`, "m").catch(() => {}),
      WRITE_EVERY_MS,
    );
  };
  const stopWriter = () => clearInterval(writer);
  const events = () => receiver.posts.map(({ body }) => JSON.parse(body).event.kind as string);
  const untilEvent = async (count: number) => {
    while (events().length < count) await Bun.sleep(POLL_MS);
    return events();
  };

  /** Until evaluations see points of the writer. */
  const untilFlowing = async () => {
    for (;;) {
      const [model] = await client.call<{ live?: { newest_point?: number } }[]>("GET /models/m");
      if ((model?.live?.newest_point ?? 0) * 1000 > Date.now() - 2000) return;
      await Bun.sleep(POLL_MS);
    }
  };

  beforeAll(async () => {
    [influxd, receiver] = [await startInfluxd(), startReceiver()];
    await influxd.query("create database m");
    const nowS = Math.floor(Date.now() / 1000);
    const lines = Array.from(
      { length: HISTORY_S },
      (_, i) => `cpu,host=a usage=${1 + Math.sin(i / 9) / 9} ${nowS - HISTORY_S + i}000000000`,
    );
    await influxd.write(lines.join("\n"), "m");
    const env = {
      TORUS_HOOKS_WEBHOOK_PRIVATE_ADDRESSES: "true",
      TORUS_SERVER_SOURCE_GRACE: "2s",
      TORUS_TRAINING_STEPS: "50",
    };
    server = await startServer({ dataDir: temporaryFolder(), env });
    client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
    await client.putBucket({
      name: "b",
      type: "influxdb",
      addr: influxd.addr,
      database: "m",
      measurement: "cpu",
      // For the store that hangs.
      timeout: "4s",
    });
    const features = [{ name: "usage", metric: "avg", field: "usage" }];
    await client.createModel({
      name: "m",
      type: "donut",
      default_bucket: "b",
      bucket_interval: "1s",
      silence: "4s",
      span: 12,
      max_evals: 1,
      features,
    });
    await client.waitForJob(await client.train("m", { from: nowS - HISTORY_S, to: nowS, seed: 1 }));
    const hook = { name: "h", type: "webhook", events: ["silence", "source"], config: { url: receiver.url } };
    await client.call("POST /models/m/hooks", { body: hook, status: 201 });
    startWriter();
    await client.call("POST /models/m/_start", { status: 204 });
  }, SETUP_MS);
  afterAll(async () => {
    stopWriter();
    await server?.kill();
    await receiver?.stop();
    await influxd?.stop();
  });

  test(
    "a writer that stops and goes on: silence, and its end",
    async () => {
      await untilFlowing();
      stopWriter();
      const stoppedAt = Date.now();
      expect(await untilEvent(1)).toEqual(["silence_start"]);
      const { startedAt } = JSON.parse(receiver.posts[0]!.body).event;
      expect(Math.abs(startedAt - stoppedAt)).toBeLessThan(2500);
      startWriter();
      expect(await untilEvent(2)).toEqual(["silence_start", "silence_end"]);
    },
    TEST_MS,
  );

  test(
    "a store that is killed and comes back: down and up, and no silence",
    async () => {
      await influxd.kill();
      expect((await untilEvent(3)).slice(2)).toEqual(["source_down"]);
      await influxd.start();
      expect((await untilEvent(4)).slice(2)).toEqual(["source_down", "source_up"]);
    },
    TEST_MS,
  );

  test(
    "a store that hangs and goes on: down and up, and no silence",
    async () => {
      influxd.pause();
      expect((await untilEvent(5)).slice(4)).toEqual(["source_down"]);
      influxd.resume();
      expect((await untilEvent(6)).slice(4)).toEqual(["source_down", "source_up"]);
    },
    TEST_MS,
  );
});
