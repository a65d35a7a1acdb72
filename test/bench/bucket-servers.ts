// Servers of the benchmark of buckets: real ones where installed, otherwise stand-ins in this process.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clickhouseMissing, startClickhouse } from "../support/clickhouse.ts";
import { startElastic } from "../support/elasticsearch.ts";
import { influxdMissing, startInfluxd } from "../support/influxd.ts";
import { startMongo } from "../support/mongod.ts";
import { startOpentsdb } from "../support/opentsdb.ts";
import { owner, postgresMissing, startPostgres } from "../support/postgres.ts";
import {
  type MetricServer,
  prometheusMissing,
  startPrometheus,
  startVictoria,
  victoriaMissing,
} from "../support/prometheus.ts";
import { readToken, startWarp10, writeToken } from "../support/warp10.ts";

/** A bucket to open in another process. */
export interface Target {
  readonly type: string;
  readonly settings: object;
  readonly dataDir: string;
  readonly dataRoot?: string;
}

export interface Prepared {
  readonly target: Target;
  /** Makes written points readable. */
  settle?(): Promise<void>;
  stop(): void | Promise<void>;
}

export interface BenchedKind {
  readonly label: string;
  /** False for a stand-in: only our own side is measured. */
  readonly isReal: boolean;
  /** Why it cannot run here. */
  readonly missing?: string | undefined;
  /** @param csv the points as CSV, for the kind that reads files */
  prepare(csv: () => string): Promise<Prepared>;
}

const standIn = (
  label: string,
  start: () => { target: Omit<Target, "dataDir">; stop: () => void },
): BenchedKind => ({
  label,
  isReal: false,
  async prepare() {
    const { target, stop } = start();
    return { target: { ...target, dataDir: "" }, stop };
  },
});

async function prepareFolder(csv?: () => string): Promise<Prepared> {
  const dir = mkdtempSync(join(tmpdir(), "bench-buckets-"));
  const stop = () => rmSync(dir, { recursive: true });
  if (!csv) return { target: { type: "local", settings: {}, dataDir: dir }, stop };
  await Bun.write(join(dir, "points.csv"), csv());
  return { target: { type: "csv", settings: { path: "points.csv" }, dataDir: dir, dataRoot: dir }, stop };
}

async function prepareMetrics(start: () => Promise<MetricServer>): Promise<Prepared> {
  const { addr, flush, stop } = await start();
  return { target: { type: "prometheus", settings: { addr }, dataDir: "" }, settle: flush, stop };
}

async function prepareInflux(): Promise<Prepared> {
  const { addr, stop } = await startInfluxd();
  return {
    target: { type: "influxdb", settings: { addr, database: "bench", measurement: "m" }, dataDir: "" },
    stop,
  };
}

async function preparePostgres(): Promise<Prepared> {
  const { addr, database, run, stop } = await startPostgres();
  await run("CREATE TABLE points (at timestamptz, v float8, host text); CREATE INDEX ON points (at)");
  const settings = { addr, database, table: "points", time_column: "at", writable: true, ...owner };
  return {
    target: { type: "postgres", settings, dataDir: "" },
    settle: () => run("VACUUM ANALYZE points"),
    stop,
  };
}

/** The engine, in a process of its own as any other server. */
async function prepareClickhouse(): Promise<Prepared> {
  const { addr, addColumns, stop } = await startClickhouse();
  await addColumns({ v: 1, host: "" });
  return { target: { type: "clickhouse", settings: { addr, table: "points" }, dataDir: "" }, stop };
}

/** In the order of the table. */
export const benchedKinds: readonly BenchedKind[] = [
  { label: "local", isReal: true, prepare: () => prepareFolder() },
  { label: "csv", isReal: true, prepare: (csv) => prepareFolder(csv) },
  { label: "influxdb", isReal: true, missing: influxdMissing, prepare: prepareInflux },
  {
    label: "prometheus",
    isReal: true,
    missing: prometheusMissing,
    prepare: () => prepareMetrics(startPrometheus),
  },
  {
    label: "VictoriaMetrics",
    isReal: true,
    missing: victoriaMissing,
    prepare: () => prepareMetrics(startVictoria),
  },
  { label: "postgres", isReal: true, missing: postgresMissing, prepare: preparePostgres },
  standIn("elasticsearch", () => {
    const { addr, stop } = startElastic();
    return { target: { type: "elasticsearch", settings: { addr, index: "points" } }, stop };
  }),
  { label: "clickhouse", isReal: true, missing: clickhouseMissing, prepare: prepareClickhouse },
  standIn("opentsdb", () => {
    const { addr, stop } = startOpentsdb();
    return { target: { type: "opentsdb", settings: { addr } }, stop };
  }),
  standIn("warp10", () => {
    const { url, stop } = startWarp10();
    const settings = { url, read_token: readToken, write_token: writeToken };
    return { target: { type: "warp10", settings }, stop };
  }),
  standIn("mongodb", () => {
    const { addr, stop } = startMongo();
    return {
      target: { type: "mongodb", settings: { addr, database: "db", collection: "points" } },
      stop,
    };
  }),
];
