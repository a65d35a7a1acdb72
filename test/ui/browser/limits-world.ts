// Limits of the browser tests: disks that fill, one of them of a fleet at a level, and a model of many false alarms.
import { createClient } from "../../../src/cli/client/client.ts";
import { createRandom } from "../../../wasm/random.ts";
import type { Recorded } from "./recorded.ts";

const HOUR = 3600;
const HOURS = 20 * 24;
const POLL_MS = 50;
/** Each host grows by another rate, GB an hour, and cleans up every night. */
const hosts = { "db-1": 0.5, "db-2": 0.35, "db-3": 0 };
/** Those of `volume`, which is all hosts, and of the two that grow. */
const LIMITS = 3;

/** Anomalies of `noisy`: a third of twelve is confirmed, with higher peaks than the dismissed ones. */
export const noise: readonly Recorded[] = Array.from({ length: 12 }, (_, i) => ({
  model: "noisy",
  hoursAgo: 5 + 12 * i,
  score: i % 3 === 0 ? 95 : 70,
  isReal: i % 3 === 0,
}));

/**
 * Adds the fleet `disks` and the model `volume`, both live, and `noisy` to a server, and waits until limits are known.
 * @param nameOf makes their names, those of fields and of hosts
 */
export async function addLimits(
  url: string,
  { nameOf = (short: string) => short, bucket = "disks" } = {},
): Promise<void> {
  const [fleet, volume, noisy, used] = ["disks", "volume", "noisy", "used"].map(nameOf) as [
    string,
    string,
    string,
    string,
  ];
  const client = createClient({ baseUrl: url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
  await client.putBucket({ name: bucket, type: "local" });
  const now = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
  const random = createRandom(7);
  const points = Object.entries(hosts).flatMap(([host, rate]) =>
    Array.from({ length: HOURS }, (_, i) => ({
      timestamp: now - (HOURS - i) * HOUR,
      tags: { host: nameOf(host) },
      [used]: 200 + rate * i + (8 * (i % 24)) / 24 + random.normal(),
      size: 512,
    })),
  );
  await client.waitForJob(await client.write(bucket, points));
  const settings = { type: "donut", default_bucket: bucket, bucket_interval: HOUR } as const;
  const size = { name: "size", metric: "max", field: "size", unit: "GB" };
  const features = [{ ...size, name: used, field: used, limit: "size" }, size];
  const shared = { ...settings, detector: "auto", features, max_evals: 1 } as const;
  await client.createModel({ ...shared, name: fleet, group_by: ["host"] });
  await client.createModel({ ...shared, name: volume });
  await client.createModel({ ...settings, name: noisy, max_threshold: 60, features: [size] });
  await client.waitForJob(await client.train(fleet, { from: now - HOURS * HOUR, to: now, seed: 1 }));
  for (const name of [volume, fleet]) {
    const started = await fetch(`${url}/models/${name}/_start?detect_anomalies=true`, { method: "POST" });
    if (!started.ok) throw new Error(await started.text());
  }
  while (((await (await fetch(`${url}/capacity`)).json()) as unknown[]).length < LIMITS)
    await Bun.sleep(POLL_MS);
}
