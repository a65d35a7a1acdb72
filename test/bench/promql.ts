// Benchmark: the most common panels as PromQL, asked of Torus and of Prometheus by turns, over the same samples.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { medianOf } from "../../src/models/stats/median.ts";
import { prometheusMissing, startPrometheus } from "../support/prometheus.ts";
import { encodeMessage, pack, type SentSeries, types } from "../support/remote-write.ts";
import { startServer } from "../support/server-process.ts";
import { type Part, type Row, runAlone } from "./part.ts";

const ROUNDS = 7;
const HOUR_S = 3600;
const startS = Date.UTC(2026, 0, 1) / 1000;
/** Series whose samples are sent at a time. */
const SERIES_PER_PUSH = 20;
const BOUNDS = ["0.005", "0.01", "0.05", "0.1", "0.5", "1", "2", "5", "10", "+Inf"];
const CODES = ["200", "301", "404", "500", "503"];

/** Samples of three metrics: a gauge, a counter by code, and a histogram by bound. */
interface World {
  /** Of each metric. */
  readonly series: number;
  readonly hours: number;
  readonly stepS: number;
}

const worlds: readonly World[] = [
  { series: 200, hours: 24, stepS: 15 },
  { series: 5000, hours: 4, stepS: 60 },
];

interface Panel {
  readonly query: string;
  readonly hours: number;
  readonly stepS: number;
}

const hour = (query: string): Panel => ({ query, hours: 1, stepS: 15 });
const panels: readonly Panel[] = [
  hour("load"),
  hour("sum by (zone) (load)"),
  hour("topk(5, load)"),
  hour("max by (host) (load)"),
  hour("avg_over_time(load[5m])"),
  hour("load - load offset 30m"),
  hour("absent(load)"),
  hour("rate(requests_total[5m])"),
  hour("sum by (code) (rate(requests_total[5m]))"),
  hour("increase(requests_total[10m])"),
  hour("histogram_quantile(0.95, sum by (le) (rate(seconds_bucket[5m])))"),
  { query: "avg(load)", hours: 24, stepS: 60 },
];

function listSeries({ series }: World): Record<string, string>[] {
  const labelsOf = (i: number, per: number) => ({ host: `host-${Math.floor(i / per)}`, zone: `z${i % 4}` });
  return Array.from({ length: series }, (_, i) => [
    { __name__: "load", ...labelsOf(i, 1) },
    { __name__: "requests_total", ...labelsOf(i, CODES.length), code: CODES[i % CODES.length]! },
    { __name__: "seconds_bucket", ...labelsOf(i, BOUNDS.length), le: BOUNDS[i % BOUNDS.length]! },
  ]).flat();
}

/** Gauges go up and down, counters only up; buckets of a higher bound hold those of the lower ones. */
function samplesOf(place: number, hour: number, { stepS }: World): [number, number][] {
  const [kind, i] = [place % 3, Math.floor(place / 3)];
  const slope = kind === 1 ? 1 + (i % 7) : 1 + (i % BOUNDS.length);
  return Array.from({ length: HOUR_S / stepS }, (_, k) => {
    const n = (hour * HOUR_S) / stepS + k;
    const at = (startS + n * stepS) * 1000;
    return [at, kind === 0 ? Math.sin((n + i) / 40) * 10 + (i % 13) : n * slope];
  });
}

/** Hour by hour, as Prometheus takes nothing that is much older than the newest sample. */
function* makePushes(world: World): Generator<Uint8Array<ArrayBuffer>> {
  const all = listSeries(world);
  for (let hour = 0; hour < world.hours; hour++)
    for (let from = 0; from < all.length; from += SERIES_PER_PUSH) {
      const some = all.slice(from, from + SERIES_PER_PUSH).map((labels, k): SentSeries => {
        return { labels, samples: samplesOf(from + k, hour, world), exemplars: 0 };
      });
      yield pack(encodeMessage(1, some));
    }
}

interface Asked {
  readonly name: string;
  readonly write: string;
  readonly query: string;
}

async function fill(servers: readonly Asked[], world: World): Promise<void> {
  const headers = { "content-type": types[1], "content-encoding": "snappy" };
  for (const body of makePushes(world))
    for (const { name, write } of servers) {
      const response = await fetch(write, { method: "POST", headers, body });
      if (response.status >= 300) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    }
}

/** @returns ms @throws Error for a query that is refused, or an answer without data */
async function ask({ name, query }: Asked, panel: Panel, world: World): Promise<number> {
  const end = startS + world.hours * HOUR_S - world.stepS;
  const start = Math.max(startS, end - panel.hours * HOUR_S);
  const parameters = { query: panel.query, start: `${start}`, end: `${end}`, step: `${panel.stepS}` };
  const startedAt = performance.now();
  const response = await fetch(`${query}?${new URLSearchParams(parameters)}`);
  const text = await response.text();
  const ms = performance.now() - startedAt;
  const isEmpty = text.includes('"result":[]');
  if (response.status !== 200 || isEmpty !== panel.query.startsWith("absent"))
    throw new Error(`${name}: ${panel.query}: ${response.status} ${text.slice(0, 200)}`);
  return ms;
}

async function measureWorld(world: World, servers: readonly [Asked, Asked]): Promise<Row[]> {
  await fill(servers, world);
  const rows: Row[] = [];
  for (const panel of panels) {
    const times = servers.map((): number[] => []);
    for (let round = -1; round < ROUNDS; round++)
      for (const k of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const ms = await ask(servers[k]!, panel, world);
        if (round >= 0) times[k]!.push(ms);
      }
    const [own, peer] = [medianOf(times[0]!), medianOf(times[1]!)];
    const span = `${Math.min(panel.hours, world.hours)} h by ${panel.stepS} s`;
    rows.push({
      query: panel.query,
      range: span,
      series: world.series,
      "Torus ms": own,
      "Prometheus ms": peer,
      ratio: own / peer,
    });
  }
  return rows;
}

export const promql: Part = {
  name: "promql",
  title: `Queries of the same samples, over HTTP, by turns: median of ${ROUNDS} rounds (goal: 1.2 times the time of Prometheus at most)`,
  async run() {
    if (prometheusMissing) {
      console.log(prometheusMissing);
      return [];
    }
    const rows: Row[] = [];
    for (const world of worlds) {
      const dir = mkdtempSync(join(tmpdir(), "bench-promql-"));
      const torus = await startServer({ dataDir: dir });
      const peer = await startPrometheus({ inOrder: true });
      try {
        const servers = [
          {
            name: "Torus",
            write: `${torus.url}/api/v1/write?bucket=b`,
            query: `${torus.url}/prometheus/api/v1/query_range`,
          },
          {
            name: "Prometheus",
            write: `http://${peer.addr}/api/v1/write`,
            query: `http://${peer.addr}/api/v1/query_range`,
          },
        ] as const;
        rows.push(...(await measureWorld(world, servers)));
      } finally {
        await torus.stop();
        await peer.stop();
        rmSync(dir, { recursive: true });
      }
    }
    return rows;
  },
};

if (import.meta.main) await runAlone(promql);
