// Real Prometheus and VictoriaMetrics servers for tests.
import { join } from "node:path";
import { findFreePort, makeFolder, spawnServer } from "./spawned.ts";

const prometheus = Bun.which("prometheus");
const victoria = Bun.which("victoria-metrics");
const missing = (program: string) =>
  `${program} is not installed (apt-get install -y --no-install-recommends ${program}); its tests are skipped`;

/** Why tests against the real servers cannot run here; undefined where they can. */
export const prometheusMissing: string | undefined = prometheus ? undefined : missing("prometheus");
export const victoriaMissing: string | undefined = victoria ? undefined : missing("victoria-metrics");

export interface MetricServer {
  /** `host:port`. */
  readonly addr: string;
  readonly pid: number;
  /** Makes what was written readable at once. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface PrometheusOptions {
  /** Where its paths begin. */
  readonly prefix?: string;
  /** Its `scrape_configs`. */
  readonly scrape?: readonly object[];
  /** Points that it has from its start, as OpenMetrics. */
  readonly points?: string;
  /** Takes remote writes in the order of time alone, as without any setting. */
  readonly inOrder?: boolean;
}

/** Starts a Prometheus that takes remote writes, of any age and order unless told otherwise. */
export async function startPrometheus({
  prefix = "",
  scrape = [],
  points,
  inOrder = false,
}: PrometheusOptions = {}): Promise<MetricServer> {
  const dir = makeFolder("prometheus");
  const addr = `127.0.0.1:${findFreePort()}`;
  const config = join(dir, "prometheus.yml");
  const storage = { tsdb: { out_of_order_time_window: "100000d" } };
  await Bun.write(config, JSON.stringify({ ...(!inOrder && { storage }), scrape_configs: scrape }));
  if (points !== undefined) await backfill(dir, points);
  const stop = await spawnServer({
    dir,
    command: [
      prometheus!,
      ...[`--config.file=${config}`, `--storage.tsdb.path=${join(dir, "data")}`],
      ...[`--web.listen-address=${addr}`, "--web.enable-remote-write-receiver"],
      ...["--storage.tsdb.retention.time=100y", `--web.route-prefix=${prefix}/`],
    ],
    isReady: async () => (await fetch(`http://${addr}${prefix}/-/ready`)).ok,
  });
  return { addr, pid: stop.pid, flush: async () => {}, stop };
}

async function backfill(dir: string, points: string): Promise<void> {
  const file = join(dir, "points.om");
  await Bun.write(file, points);
  const command = ["promtool", "tsdb", "create-blocks-from", "openmetrics", file, join(dir, "data")];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [said] = await Promise.all([new Response(child.stderr).text(), new Response(child.stdout).text()]);
  if ((await child.exited) !== 0) throw new Error(`promtool did not make blocks: ${said.slice(-500)}`);
}

/** Starts a VictoriaMetrics. @param memoryPercent of the machine's memory for its caches; its own default is 60 */
export async function startVictoria({ memoryPercent = 5 } = {}): Promise<MetricServer> {
  const dir = makeFolder("victoria");
  const addr = `127.0.0.1:${findFreePort()}`;
  const stop = await spawnServer({
    dir,
    command: [
      victoria!,
      ...[`-storageDataPath=${join(dir, "data")}`, `-httpListenAddr=${addr}`, "-retentionPeriod=100y"],
      ...[`-memory.allowedPercent=${memoryPercent}`, "-search.latencyOffset=0s"],
    ],
    isReady: async () => (await fetch(`http://${addr}/health`)).ok,
  });
  const flush = async () => void (await (await fetch(`http://${addr}/internal/force_flush`)).text());
  return { addr, pid: stop.pid, flush, stop };
}
