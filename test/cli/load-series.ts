// Test series: ten days of a load with a daily season and one spike, as CSV, and a model of it.
import type { Session } from "./session.ts";

const STEP = 900;
/** Intervals. */
export const DAY = 96;
export const POINTS = 10 * DAY;
export const SPIKE = 9 * DAY + 40;
/** Seconds since the epoch. */
export const START = Date.UTC(2026, 0, 5) / 1000;
export const at = (index: number) => START + index * STEP;

/** Columns time, load and host; the noise is the same at every run. */
export function makeCsv(): string {
  const rows = Array.from({ length: POINTS }, (_, i) => {
    const noise = (((i * 7919) % 101) / 101 - 0.5) * 4;
    const value = 100 + 40 * Math.sin((2 * Math.PI * i) / DAY) + noise + (i === SPIKE ? 150 : 0);
    return `${new Date(at(i) * 1000).toISOString()},${value.toFixed(3)},web`;
  });
  return ["time,load,host", ...rows, ""].join("\n");
}

export const model = `name: web
type: donut
default_bucket: metrics
bucket_interval: 15m
span: 24
features:
  - {name: load, metric: avg, field: load}
`;

/** Imports the series into the bucket `metrics`. */
export async function importLoad({ ok }: Session): Promise<void> {
  await ok("import-csv - --bucket metrics", { input: makeCsv() });
}

/** Imports the series, creates the model `web` and trains it on a week. */
export async function trainWeb(session: Session): Promise<void> {
  await importLoad(session);
  await session.ok("create-model -", { input: model });
  await session.ok(`train-model web -f ${START} -t ${at(7 * DAY)} -m 1 -e 10`);
}
