// Sample data: a bucket of generated points, from a week ago to a week ahead, and models that watch them live.
import { buckets, pathOfBucket } from "./buckets.ts";
import { serverNow } from "./clock.ts";
import { untilDone } from "./jobs.ts";
import { request } from "./session.ts";

/** A name that no bucket of a user has. */
const BUCKET = "torus-sample";
/** Seconds. */
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Days before now, and after: live detection needs points as time goes on. */
const DAYS = { past: 7, ahead: 7 } as const;
/** Points of one request. */
const BATCH = 10_000;

const features = {
  orders: { field: "orders" },
  latency: { field: "latency_ms" },
  disk: { field: "disk_used_percent" },
} as const;
const names = Object.keys(features).map((name) => `sample-${name}`);

/** Whether the sample is there. */
export async function hasSample(): Promise<boolean> {
  await buckets.refresh();
  return buckets.loaded.value.value?.some(({ name, type }) => name === BUCKET && type === "local") ?? false;
}

const forever = new AbortController().signal;

/** Goes on where the screen is left. @throws Problem */
export async function createSample(): Promise<void> {
  await request("/buckets", { method: "POST", body: { name: BUCKET, type: "local" } });
  const points = samplePoints(serverNow());
  for (let from = 0; from < points.length; from += BATCH) {
    const body = points.slice(from, from + BATCH);
    const id = await request<string>(`${pathOfBucket(BUCKET)}/_write`, { method: "POST", body });
    await untilDone(id, forever);
  }
  for (const [key, { field }] of Object.entries(features)) {
    const settings = { name: `sample-${key}`, type: "donut", default_bucket: BUCKET, bucket_interval: "1m" };
    const limit = { watch_forecast: [{ feature: key, above: 90, within: "7d" }] };
    const body = {
      ...settings,
      detector: "auto",
      silence: "auto",
      features: [{ name: key, metric: "avg", field, ...(key === "disk" && { min: 0, max: 100 }) }],
      ...(key === "disk" && limit),
    };
    await request("/models", { method: "POST", body });
    const path = `/models/${encodeURIComponent(settings.name)}/_start?detect_anomalies=true`;
    await request(path, { method: "POST" });
  }
}

/** Deletes the models of the sample and its points. @throws Problem */
export async function removeSample(): Promise<void> {
  const found = await request<readonly { readonly settings: { readonly name: string } }[]>(
    `/models?q=sample-&page=0&per_page=100`,
  );
  const own = found.map(({ settings }) => settings.name).filter((name) => names.includes(name));
  if (own.length > 0) await request(`/models/${own.map(encodeURIComponent).join(";")}`, { method: "DELETE" });
  await request(pathOfBucket(BUCKET), { method: "DELETE" });
}

/** Minutes of a shop: orders by day and week, latency that rises half an hour before now, a disk that is 90 % full three days ahead. */
function samplePoints(now: number): readonly object[] {
  const random = createRandom(7);
  const noise = () => random() + random() + random() - 1.5;
  const start = Math.floor((now - DAYS.past * DAY) / MINUTE) * MINUTE;
  const count = ((DAYS.past + DAYS.ahead) * DAY) / MINUTE;
  return Array.from({ length: count }, (_, i) => {
    const timestamp = start + i * MINUTE;
    const day = Math.sin((2 * Math.PI * (timestamp - 10 * HOUR)) / DAY);
    const isFault = timestamp > now - HOUR / 2 && timestamp < now + 6 * HOUR;
    const isOutage = timestamp > now - 20 * HOUR && timestamp < now - 19.5 * HOUR;
    const used = Math.min(99, 60 + (3 * i * MINUTE) / DAY + 0.15 * noise());
    return {
      timestamp,
      [features.orders.field]: round(isOutage ? 4 : 140 + 80 * day + 12 * noise()),
      [features.latency.field]: round(48 + 9 * day + 2.5 * noise() + (isFault ? 55 : 0)),
      [features.disk.field]: round(used, 3),
    };
  });
}

const round = (value: number, digits = 1) => Number(value.toFixed(digits));

/** Numbers from 0 to 1, the same each time: a linear congruence of 32 bits (Numerical Recipes, section 7.1). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
