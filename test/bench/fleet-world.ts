// A data directory with a trained fleet of thousands of series on a local bucket, for the benchmark of live fleets.
import type { Client } from "../../src/cli/client/client.ts";
import { openStore } from "../../src/store/db/open.ts";
import { aModel } from "../support/builders.ts";
import { startServer } from "../support/server-process.ts";
import { clientOf, floorNow } from "./live-world.ts";

/** Series that are trained; the others are copies of their fits. */
const TRAINED = 20;
/** Points of those: as after a few days of minutes. */
const HISTORY = 4400;
const LINES = 20_000;

export interface FleetSize {
  readonly series: number;
  readonly intervalS: number;
  /** Window length W, in intervals. */
  readonly span: number;
  /** Further settings of the model. */
  readonly settings?: object;
}

export const FLEET = "fleet";

function lineOf(series: number, at: number, { intervalS, shift = 0 }: Written): string {
  const value = shift + 100 + 40 * Math.sin(at / intervalS / 7 + (series % TRAINED)) + (at % 13) / 13;
  return `cpu,host=h${series} v=${value.toFixed(3)} ${at}`;
}

interface Written extends Pick<FleetSize, "series" | "intervalS"> {
  /** Added to all values. */
  readonly shift?: number;
}

/** Writes one point of each series at the instants. */
export async function writePoints(url: string, size: Written, instants: readonly number[]): Promise<void> {
  let lines: string[] = [];
  const flush = async () => {
    const body = lines.join("\n");
    lines = [];
    const response = await fetch(`${url}/write?db=b&precision=s`, { method: "POST", body });
    if (response.status !== 204) throw new Error(`/write answered ${response.status}`);
  };
  for (const at of instants)
    for (let i = 0; i < size.series; i++) {
      lines.push(lineOf(i, at, size));
      if (lines.length >= LINES) await flush();
    }
  if (lines.length > 0) await flush();
}

/** @returns seconds that the training of the first series took, and bytes of one fit as it is stored */
export async function makeFleet(
  dataDir: string,
  size: FleetSize,
): Promise<{ trainS: number; fitBytes: number }> {
  const { series, intervalS, span } = size;
  const server = await startServer({ dataDir });
  const client = clientOf(server.url);
  await client.putBucket({ name: "b", type: "local" });
  const endAt = floorNow(intervalS);
  const instants = (count: number) =>
    Array.from({ length: count }, (_, i) => endAt - (count - 1 - i) * intervalS);
  await writePoints(server.url, { series: TRAINED, intervalS }, instants(HISTORY));
  const trainS = await train(client, size, { from: endAt - HISTORY * intervalS, to: endAt });
  await writePoints(server.url, size, instants(span + 2));
  await server.stop();
  return { trainS, fitBytes: copyFits(dataDir, series) };
}

async function train(
  client: Client,
  { intervalS, span, settings: more }: FleetSize,
  range: { from: number; to: number },
): Promise<number> {
  const features = [{ name: "load", metric: "avg", field: "v" }];
  const interval = `${intervalS}s`;
  const settings = { name: FLEET, bucket_interval: interval, offset: interval, span, features };
  const fleet = { group_by: ["host"], max_series: 100_000 };
  await client.createModel(aModel({ ...settings, ...fleet, ...more }));
  const startedAt = performance.now();
  await client.waitForJob(await client.train(FLEET, { ...range, max_evals: 1, epochs: 4 }));
  return (performance.now() - startedAt) / 1000;
}

function copyFits(dir: string, series: number): number {
  const store = openStore({ dir });
  const { sqlite } = store;
  sqlite.run(`create temp table numbers as with recursive n(i) as
    (values (${TRAINED}) union all select i + 1 from n where i < ${series - 1}) select i from n`);
  sqlite.run(`insert into version_series (fit_set, key, tags, points, fitted_at, parameters)
    select fit_set, '["h' || i || '"]', json_object('host', 'h' || i), points, fitted_at, parameters
    from version_series, numbers where key = '["h' || (i % ${TRAINED}) || '"]'`);
  const { bytes } = sqlite
    .query<{ bytes: number }, []>("select avg(length(parameters)) as bytes from version_series")
    .get()!;
  store.close();
  return bytes;
}
