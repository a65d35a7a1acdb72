// Benchmark: the same bodies pushed into Torus and into InfluxDB, Prometheus and VictoriaMetrics, by turns in one run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { medianOf } from "../../src/models/stats/median.ts";
import { influxdMissing, startInfluxd } from "../support/influxd.ts";
import { prometheusMissing, startPrometheus, startVictoria, victoriaMissing } from "../support/prometheus.ts";
import { startServer } from "../support/server-process.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";
import { BATCH, type Encoding, lineProtocol, otlp, remoteWrite } from "./pushes.ts";

const ROUNDS = 7;
const POINTS = 200_000;
const BATCHES = POINTS / BATCH;

/** A server with the settings that it has by default. */
interface Receiver {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** When it acknowledges. */
  readonly acknowledges: string;
  stop(): Promise<unknown>;
}

type Start = (dir: string) => Promise<Receiver>;

const starts = {
  torus: async (dir) => {
    const server = await startServer({ dataDir: dir });
    return { ...server, name: "Torus", acknowledges: "on disk: fsync of its journal" };
  },
  influxd: async () => {
    const server = await startInfluxd();
    await server.query("create database bench");
    const { addr, pid, stop } = server;
    return {
      name: "InfluxDB 1.x",
      url: `http://${addr}`,
      pid,
      stop,
      acknowledges: "on disk: fsync of its log",
    };
  },
  prometheus: async () => {
    const { addr, pid, stop } = await startPrometheus({ inOrder: true });
    const acknowledges = "in its log, without fsync";
    return { name: "Prometheus", url: `http://${addr}`, pid, stop, acknowledges };
  },
  victoria: async () => {
    const { addr, pid, stop } = await startVictoria({ memoryPercent: 60 });
    const acknowledges = "in memory, on disk seconds later";
    return { name: "VictoriaMetrics", url: `http://${addr}`, pid, stop, acknowledges };
  },
} satisfies Record<string, Start>;

type Name = keyof typeof starts;

const missing: Readonly<Record<Name, string | undefined>> = {
  torus: undefined,
  influxd: influxdMissing,
  prometheus: prometheusMissing,
  victoria: victoriaMissing,
};

/** A protocol, and where each server takes it. */
interface Way extends Encoding {
  readonly what: string;
  readonly paths: Partial<Readonly<Record<Name, string>>>;
}

const ways: readonly Way[] = [
  {
    what: "line protocol",
    paths: { torus: "/write?db=lines", influxd: "/write?db=bench", victoria: "/write?db=bench" },
    ...lineProtocol,
  },
  {
    what: "remote write 1.0",
    paths: {
      torus: "/api/v1/write?bucket=remote",
      prometheus: "/api/v1/write",
      victoria: "/api/v1/write",
    },
    ...remoteWrite(1),
  },
  // No other server of Debian 12 takes it.
  { what: "OTLP, protocol buffers", paths: { torus: "/v1/metrics?bucket=otlp" }, ...otlp("protobuf") },
];

interface Pushed {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** CPU time is that of all threads of the server. @throws Error for a body that is not taken */
async function push(
  { url, pid }: Receiver,
  path: string,
  { headers, bodies }: { headers: Way["headers"]; bodies: readonly Uint8Array<ArrayBuffer>[] },
): Promise<Pushed> {
  const before = readUsage(pid);
  const startedAt = performance.now();
  for (const body of bodies) {
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body });
    if (response.status >= 300) throw new Error(`${url}${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
  const wallMs = performance.now() - startedAt;
  return { wallMs, cpuMs: (readUsage(pid).cpuS - before.cpuS) * 1000 };
}

/** One way, round by round; in each, the servers take turns with the same bodies. */
async function measureWay(way: Way, receivers: ReadonlyMap<Name, Receiver>): Promise<Row[]> {
  const names = (Object.keys(way.paths) as Name[]).filter((name) => receivers.has(name));
  const pushed = new Map(names.map((name) => [name, [] as Pushed[]]));
  for (let round = 0; round < ROUNDS; round++) {
    const bodies = Array.from({ length: BATCHES }, (_, i) => way.encode(round * BATCHES + i));
    const turns = round % 2 === 0 ? names : names.toReversed();
    for (const name of turns) {
      const sent = { headers: way.headers, bodies };
      pushed.get(name)!.push(await push(receivers.get(name)!, way.paths[name]!, sent));
    }
  }
  const own = pushed.get("torus")!;
  return names.map((name) => {
    const rounds = pushed.get(name)!;
    const ratios = rounds.map(({ wallMs }, i) => own[i]!.wallMs / wallMs);
    const rateOf = (key: keyof Pushed) => Math.round(POINTS / medianOf(rounds.map((one) => one[key] / 1000)));
    return {
      protocol: way.what,
      server: receivers.get(name)!.name,
      "points/s": rateOf("wallMs"),
      "points/s of CPU": rateOf("cpuMs"),
      "of Torus": medianOf(ratios),
      acknowledged: receivers.get(name)!.acknowledges,
    };
  });
}

async function createBuckets(url: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  for (const name of ["lines", "remote", "otlp"])
    await fetch(`${url}/buckets`, { method: "POST", headers, body: JSON.stringify({ name, type: "local" }) });
}

export const receivers: Part = {
  name: "receivers",
  title: `The same points pushed into Torus and into others, one connection, settings as they come: median of ${ROUNDS} rounds of ${POINTS} points, by turns`,
  async run() {
    const dir = mkdtempSync(join(tmpdir(), "bench-receivers-"));
    const started = new Map<Name, Receiver>();
    try {
      for (const [name, start] of Object.entries(starts) as [Name, Start][]) {
        const reason = missing[name];
        if (reason) console.log(reason);
        else started.set(name, await start(dir));
      }
      await createBuckets(started.get("torus")!.url);
      const rows: Row[] = [];
      for (const way of ways) rows.push(...(await measureWay(way, started)));
      return rows;
    } finally {
      for (const { stop } of started.values()) await stop();
      rmSync(dir, { recursive: true });
    }
  },
};

if (import.meta.main) await runAlone(receivers);
