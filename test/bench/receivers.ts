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
import { BATCH, type Encoding, lineProtocol, otlp, remoteWrite, type Shape } from "./pushes.ts";

const ROUNDS = 7;
const POINTS = 200_000;
/** Of a round of one shape. */
const SHAPE_POINTS = 100_000;

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
  /** Takes samples out of order, which by default it does not. */
  prometheusLate: async () => {
    const { addr, pid, stop } = await startPrometheus();
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
  prometheusLate: prometheusMissing,
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
      prometheusLate: "/api/v1/write",
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

interface Load {
  readonly shape: Shape;
  readonly connections: number;
  /** Of a round. */
  readonly points: number;
}

const usual: Load = {
  shape: { batch: BATCH, series: 100, isLate: false },
  connections: 1,
  points: POINTS,
};

interface Sent {
  readonly headers: Way["headers"];
  readonly bodies: readonly Uint8Array<ArrayBuffer>[];
  readonly connections: number;
}

/** CPU time is that of all threads of the server. @throws Error for a body that is not taken */
async function push({ url, pid }: Receiver, path: string, sent: Sent): Promise<Pushed> {
  const before = readUsage(pid);
  const startedAt = performance.now();
  const bodies = sent.bodies.values();
  await Promise.all(
    Array.from({ length: sent.connections }, async () => {
      // The iterator is shared: each connection takes the next body.
      for (const body of bodies) {
        const response = await fetch(`${url}${path}`, { method: "POST", headers: sent.headers, body });
        if (response.status >= 300)
          throw new Error(`${url}${path}: ${response.status} ${await response.text()}`);
        await response.arrayBuffer();
      }
    }),
  );
  const wallMs = performance.now() - startedAt;
  return { wallMs, cpuMs: (readUsage(pid).cpuS - before.cpuS) * 1000 };
}

/** One way, round by round; in each, the servers take turns with the same bodies. */
async function pushRounds(
  way: Way,
  receivers: ReadonlyMap<Name, Receiver>,
  { shape, connections, points }: Load,
): Promise<Map<Name, Pushed[]>> {
  const names = (Object.keys(way.paths) as Name[]).filter((name) => receivers.has(name));
  const pushed = new Map(names.map((name) => [name, [] as Pushed[]]));
  const batches = points / shape.batch;
  for (let round = 0; round < ROUNDS; round++) {
    const bodies = Array.from({ length: batches }, (_, i) => way.encode(round * batches + i, shape));
    const turns = round % 2 === 0 ? names : names.toReversed();
    for (const name of turns) {
      const sent = { headers: way.headers, bodies, connections };
      pushed.get(name)!.push(await push(receivers.get(name)!, way.paths[name]!, sent));
    }
  }
  return pushed;
}

async function measureWay(way: Way, receivers: ReadonlyMap<Name, Receiver>): Promise<Row[]> {
  const pushed = await pushRounds(way, receivers, usual);
  const own = pushed.get("torus")!;
  return [...pushed].map(([name, rounds]) => {
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

/** Starts the servers that are installed. @param use called with them, and with a folder of its own */
async function withReceivers(
  names: readonly Name[],
  use: (started: ReadonlyMap<Name, Receiver>) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), "bench-receivers-"));
  const started = new Map<Name, Receiver>();
  try {
    for (const name of names) {
      const reason = missing[name];
      if (reason) console.log(reason);
      else started.set(name, await starts[name](dir));
    }
    await createBuckets(started.get("torus")!.url);
    return await use(started);
  } finally {
    for (const { stop } of started.values()) await stop();
    rmSync(dir, { recursive: true });
  }
}

export const receivers: Part = {
  name: "receivers",
  title: `The same points pushed into Torus and into others, one connection, settings as they come: median of ${ROUNDS} rounds of ${POINTS} points, by turns`,
  run: () =>
    withReceivers(["torus", "influxd", "prometheus", "victoria"], async (started) => {
      const rows: Row[] = [];
      for (const way of ways) rows.push(...(await measureWay(way, started)));
      return rows;
    }),
};

/** Each shape has servers of its own: what they hold of the one before would count. */
async function measureShape(load: Load): Promise<readonly Row[]> {
  const { shape, connections } = load;
  // Connections overtake one another.
  const hasOrder = !shape.isLate && connections === 1;
  const names: Name[] = ["torus", "influxd", hasOrder ? "prometheus" : "prometheusLate"];
  return withReceivers(names, async (started) => {
    const own: Record<string, number> = {};
    const row: Record<string, string | number> = {
      connections,
      batch: shape.batch,
      series: shape.series,
      order: shape.isLate ? "10 % late" : "in order",
    };
    for (const way of ways) {
      const pushed = await pushRounds(way, started, load);
      const rateOf = (name: Name) =>
        Math.round(load.points / medianOf(pushed.get(name)!.map(({ wallMs }) => wallMs / 1000)));
      own[way.what] = rateOf("torus");
      row[way.what] = own[way.what]!;
      const peer = [...pushed.keys()].find((name) => name !== "torus");
      if (peer) row[`of ${started.get(peer)!.name}`] = own[way.what]! / rateOf(peer);
    }
    row["of remote write"] = own[ways[2]!.what]! / own[ways[1]!.what]!;
    return [row];
  });
}

export const receiverShapes: Part = {
  name: "receiver-shapes",
  title: `Points/s pushed into Torus, and as a share of what the peer takes in the same run: median of ${ROUNDS} rounds of ${SHAPE_POINTS} points, by turns (goals: 1.0 of InfluxDB, 0.8 of Prometheus, OTLP 0.6 of remote write)`,
  async run() {
    const rows: Row[] = [];
    for (const connections of [1, 4])
      for (const batch of [1000, 5000])
        for (const series of [100, 10_000])
          for (const isLate of [false, true])
            rows.push(
              ...(await measureShape({
                shape: { batch, series, isLate },
                connections,
                points: SHAPE_POINTS,
              })),
            );
    return rows;
  },
};

if (import.meta.main) await runAlone(process.argv[2] === "shapes" ? receiverShapes : receivers);
