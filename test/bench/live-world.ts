// A data directory with thousands of trained models on one local bucket, for the benchmark of live detection.
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { openStore } from "../../src/store/db/open.ts";
import { aModel } from "../support/builders.ts";
import { startServer } from "../support/server-process.ts";

/** Points before the start: more than the neighbours compare with, as after a few days of minutes. */
const HISTORY = 4400;
/** Series that the models share among them. */
const SERIES = 50;
const BATCH = 20;

export interface WorldSize {
  readonly models: number;
  readonly intervalS: number;
  /** Window length W of the models, in intervals. */
  readonly span: number;
}

export const clientOf = (url: string): Client => createClient({ baseUrl: url, sleep: () => Bun.sleep(20) });

/** The newest instant of which points are written, s since the epoch. */
export const floorNow = (intervalS: number) => Math.floor(Date.now() / 1000 / intervalS) * intervalS;

/** One point of every series. */
export function pointsAt(at: number, intervalS: number) {
  const value = (series: number) => 100 + 40 * Math.sin(at / intervalS / 7 + series) + (at % 13) / 13;
  return Array.from({ length: SERIES }, (_, i) => ({ timestamp: at, [`x${i}`]: value(i) }));
}

export const nameOf = (index: number) => `model-${index}`;

/** Trains one model and copies it: how well the others know their series does not matter here. */
export async function makeWorld(dataDir: string, size: WorldSize): Promise<void> {
  const { intervalS } = size;
  const server = await startServer({ dataDir });
  const client = clientOf(server.url);
  await client.putBucket({ name: "b", type: "local" });
  const startAt = floorNow(intervalS) - HISTORY * intervalS;
  for (let i = 0; i < HISTORY; i += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, k) => pointsAt(startAt + (i + k) * intervalS, intervalS));
    await client.waitForJob(await client.write("b", batch.flat()));
  }
  await client.createModel(settingsOf(size));
  const range = { from: startAt, to: startAt + HISTORY * intervalS, max_evals: 1, epochs: 4 };
  await client.waitForJob(await client.train(nameOf(0), range));
  await server.stop();
  copyModel(dataDir, size.models);
}

function settingsOf({ intervalS, span }: WorldSize) {
  const features = [{ name: "load", metric: "avg", field: "x0" }];
  const interval = `${intervalS}s`;
  return aModel({ name: nameOf(0), bucket_interval: interval, offset: interval, span, features });
}

function copyModel(dir: string, models: number): void {
  const store = openStore({ dir });
  const { sqlite } = store;
  sqlite.run(`create temp table numbers as
    with recursive n(i) as (values (1) union all select i + 1 from n where i < ${models - 1}) select i from n`);
  const settings = `json_set(settings, '$.name', 'model-' || i, '$.features[0].field', 'x' || (i % ${SERIES}))`;
  for (const [table, key] of [
    ["models", "name"],
    ["versions", "model"],
  ] as const) {
    const info = sqlite.query<{ name: string }, []>(`pragma table_info(${table})`).all();
    const columns = info.map(({ name }) => name);
    const values = columns.map((name) =>
      name === key ? "'model-' || i" : name === "settings" ? settings : name,
    );
    sqlite.run(
      `insert into ${table} (${columns}) select ${values} from ${table}, numbers where ${key} = '${nameOf(0)}'`,
    );
  }
  store.close();
}
