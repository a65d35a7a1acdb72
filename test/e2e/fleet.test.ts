// A fleet on a real InfluxDB: hosts that fall silent behind one switch are one mail, a host that goes odd is its own.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type Influxd, influxdMissing, startInfluxd } from "../support/influxd.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type SmtpServer, startSmtp } from "../support/smtp.ts";
import { isServerRequired } from "../support/spawned.ts";

/** Those of CI; `npm run test:fleet` has a thousand hosts. */
const HOSTS = Number(process.env.TEST_HOSTS ?? 120);
/** Bucket interval: a thousand hosts are evaluated in more than a second. */
const STEP_S = Number(process.env.TEST_STEP_S ?? 1);
const SETUP_MS = 120_000 * STEP_S;
const TEST_MS = 120_000 * STEP_S;
const POLL_MS = 50;
const WRITE_EVERY_MS = 500;
const HISTORY = 200;
/** Hosts behind the switch that dies. */
const BEHIND = Math.floor((HOSTS * 2) / 3);

if (influxdMissing) console.log(influxdMissing);

describe.skipIf(influxdMissing !== undefined && !isServerRequired)("a fleet in InfluxDB", () => {
  let influxd: Influxd;
  let smtp: SmtpServer;
  let server: ServerProcess;
  let client: Client;
  let writer: Timer | undefined;
  /** Values of hosts that are not as usual. */
  const odd = new Map<number, number>();
  let firstWritten = 0;

  const lineOf = (host: number, atS: number) => {
    const usual = 10 + host + Math.sin(atS / 9) + ((atS * (host + 7)) % 11) / 20;
    return `cpu,host=h${host},rack=${host < BEHIND ? "r1" : "r2"} usage=${odd.get(host) ?? usual}`;
  };
  const write = () => {
    const atS = Math.floor(Date.now() / 1000);
    const hosts = Array.from({ length: HOSTS - firstWritten }, (_, i) => firstWritten + i);
    void influxd.write(hosts.map((host) => lineOf(host, atS)).join("\n"), "m").catch(() => {});
  };
  const stateOf = async () => {
    const [model] = await client.call<{ state: { series?: Record<string, number> } }[]>("GET /models/fleet");
    return model!.state.series ?? {};
  };

  beforeAll(async () => {
    [influxd, smtp] = await Promise.all([startInfluxd(), startSmtp()]);
    await influxd.query("create database m");
    const nowS = Math.floor(Date.now() / 1000);
    const fromS = nowS - HISTORY * STEP_S;
    for (let i = 0; i < HISTORY; i += 20) {
      const instants = Array.from({ length: 20 }, (_, k) => fromS + (i + k) * STEP_S);
      const lines = instants.flatMap((atS) =>
        Array.from({ length: HOSTS }, (_, host) => `${lineOf(host, atS)} ${atS}000000000`),
      );
      await influxd.write(lines.join("\n"), "m");
    }
    const mail = join(temporaryFolder(), "mail.yml");
    writeFileSync(mail, `smtp: {host: 127.0.0.1, port: ${smtp.port}, password: ""}\n`, { mode: 0o600 });
    const env = { TORUS_TRAINING_STEPS: "60" };
    server = await startServer({ dataDir: temporaryFolder(), env, args: ["--mail-config", mail] });
    client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
    const bucket = { name: "b", type: "influxdb", addr: influxd.addr, database: "m", measurement: "cpu" };
    await client.putBucket(bucket);
    await client.createModel({
      name: "fleet",
      type: "donut",
      default_bucket: "b",
      bucket_interval: `${STEP_S}s`,
      group_by: ["host", "rack"],
      silence: `${5 * STEP_S}s`,
      offset: "1s",
      span: 12,
      max_evals: 1,
      max_threshold: 30,
      min_threshold: 15,
      features: [{ name: "usage", metric: "avg", field: "usage" }],
    });
    writer = setInterval(write, WRITE_EVERY_MS);
    await client.waitForJob(await client.train("fleet", { from: fromS, to: nowS, seed: 1 }));
    const config = { from: { address: "torus@example.org" }, to: { address: "ops@example.org" } };
    const options = { group_wait: `${4 * STEP_S}s`, group_interval: "60s", events: ["silence"] };
    const hook = { name: "ops", type: "mail", config, ...options };
    await client.call("POST /models/fleet/hooks", { body: hook, status: 201 });
    await client.call("POST /models/fleet/_start", { query: { detect_anomalies: true }, status: 204 });
  }, SETUP_MS);
  afterAll(async () => {
    clearInterval(writer);
    await server?.kill();
    await smtp?.stop();
    await influxd?.stop();
  });

  const until = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) await Bun.sleep(POLL_MS);
  };

  test(
    "every host is watched",
    async () => {
      const isWatched = ({ watched = 0, anomalous = 0 }) => watched + anomalous === HOSTS;
      await until(async () => isWatched(await stateOf()));
      expect(await stateOf()).toMatchObject({ new: 0, silent: 0, failed: 0 });
    },
    TEST_MS,
  );

  test(
    "a switch dies: one mail with the number of hosts and the worst ten",
    async () => {
      firstWritten = BEHIND;
      const mail = await smtp.arrived(1);
      expect(mail.text).toContain(`New: ${BEHIND}`);
      expect(mail.text.match(/^- .*host=/gm)).toHaveLength(10);
      expect(mail.text).toContain(`and ${BEHIND - 10} more`);
      expect((await stateOf()).silent).toBe(BEHIND);
      expect(smtp.seen).toHaveLength(1);
    },
    TEST_MS,
  );

  test(
    "one host that goes odd is an anomaly of that host",
    async () => {
      odd.set(HOSTS - 1, 100_000);
      type Anomaly = { series?: Record<string, string> };
      const find = () => client.call<Anomaly[]>(`GET /models/fleet/anomalies?series=host:h${HOSTS - 1}`);
      await until(async () => (await find()).length > 0);
      expect((await find())[0]).toMatchObject({ series: { host: `h${HOSTS - 1}`, rack: "r2" } });
    },
    TEST_MS,
  );
});
