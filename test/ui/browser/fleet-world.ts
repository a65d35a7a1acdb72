// Fleets of the browser tests: `load` and `disk`, each of the same twelve hosts, with recorded anomalies of one host.
import { createClient } from "../../../src/cli/client/client.ts";
import { createRandom } from "../../../wasm/random.ts";

const STEP = 300;
const POINTS = 288 * 4;
/** Intervals before now at which the anomaly of a host starts, and its length. */
const BACK = 60;
const LENGTH = 12;
const HOSTS = 12;
/** Host of the anomaly. */
const oddHost = "web-3";

const fleet = {
  type: "donut",
  default_bucket: "hosts",
  bucket_interval: STEP,
  group_by: ["host"],
  max_evals: 1,
  span: 24,
} as const;

const hosts = Array.from({ length: HOSTS }, (_, i) => `${i < 8 ? "web" : "db"}-${i + 1}`);

/** Adds both fleets, trained, to a server, and the untrained `bare`; `load` is live. */
export async function addFleets(url: string): Promise<void> {
  const client = createClient({ baseUrl: url, sleep: (ms) => Bun.sleep(Math.min(ms, 50)) });
  await client.putBucket({ name: "hosts", type: "local" });
  const now = Math.floor(Date.now() / 1000 / STEP) * STEP;
  const random = createRandom(7);
  const points = hosts.flatMap((host, h) =>
    Array.from({ length: POINTS }, (_, i) => {
      const left = POINTS - i;
      const usual = 20 + h + 10 * Math.sin((2 * Math.PI * i) / 288) + 0.5 * random.normal();
      const isOdd = host === oddHost && left <= BACK && left > BACK - LENGTH;
      const [load, disk] = isOdd ? [usual + 60, usual + 70] : [usual, usual + 1];
      return { timestamp: now - left * STEP, tags: { host }, load, disk };
    }),
  );
  await client.waitForJob(await client.write("hosts", points));
  for (const name of ["load", "disk"]) {
    await client.createModel({ ...fleet, name, features: [{ name, metric: "avg", field: name }] });
    const trained = { from: now - POINTS * STEP, to: now - 100 * STEP, seed: 1 };
    await client.waitForJob(await client.train(name, trained));
    const range = `from=${now - 100 * STEP}&to=${now}&series=host:${oddHost}`;
    await send(`${url}/models/${name}/_eval?${range}&detect_anomalies=true&record=true`);
  }
  await send(`${url}/models/load/_start?detect_anomalies=true`);
  await client.createModel({
    ...fleet,
    name: "bare",
    features: [{ name: "load", metric: "avg", field: "load" }],
  });
}

async function send(address: string): Promise<void> {
  const response = await fetch(address, { method: "POST" });
  if (!response.ok) throw new Error(`${address}: ${await response.text()}`);
}
