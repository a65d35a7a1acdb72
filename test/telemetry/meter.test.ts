// Metrics: what happened is counted under bounded labels, what is there is looked up when asked for.
import { describe, expect, test } from "bun:test";
import type { NodeState } from "../../src/store/postgres/nodes.ts";
import { createMeter } from "../../src/telemetry/meter.ts";

function makeMeter(usage?: { rssBytes: number; cpuSeconds: number }, state?: NodeState) {
  let models = 1;
  const meter = createMeter({
    version: "9.9",
    startedAt: 5000,
    countRows: async () => ({
      jobs: [{ type: "training", state: "waiting", count: models }],
      models: models++,
      buckets: 2,
      live: 3,
      anomalies: 4,
      outbox: 5,
    }),
    countStreams: () => 6,
    measureUsage: usage && (() => usage),
    ...(state && { nodeState: () => state }),
  });
  const linesOf = async () => (await meter.render()).split("\n");
  return { ...meter, linesOf };
}

test("every event is counted under its labels", async () => {
  const meter = makeMeter();
  for (const ms of [1, 300]) meter.onAnswer({ method: "GET", route: "/models/:names", status: 200, ms });
  meter.onAnswer({ method: "GET", route: "none", status: 401, ms: 1 });
  meter.onJobEnd({ type: "training", state: "failed" });
  meter.onEvaluation({ end: "recorded", lateMs: 20, durationMs: 40, missed: 3 });
  meter.onRefused();
  meter.onAttempt("mail", "retry");
  meter.onBucketCall({ kind: "influxdb", call: "read", outcome: "bucket_unavailable", ms: 2000 });
  meter.onScheduledRun({ error: "model gone does not exist" });
  meter.onScheduledRun({ error: null });
  meter.onCrash();
  meter.onEventSent("job");
  meter.onSlowStream();
  meter.onMcpCall({ tool: "list_models", outcome: "ok" });
  meter.onReceived({ protocol: "remote_write", stored: 7, refused: new Map([["label", 2]]) });
  const lines = await meter.linesOf();
  for (const line of [
    'torus_http_requests_total{method="GET",route="/models/:names",status="200"} 2',
    'torus_http_request_duration_seconds_bucket{le="0.25",route="/models/:names"} 1',
    'torus_http_request_duration_seconds_count{route="/models/:names"} 2',
    "torus_auth_failures_total 1",
    'torus_jobs_ended_total{type="training",state="failed"} 1',
    'torus_live_evaluations_total{outcome="recorded"} 1',
    "torus_live_windows_missed_total 3",
    "torus_live_refused_total 1",
    'torus_live_lateness_seconds_bucket{le="0.025"} 1',
    'torus_hook_attempts_total{kind="mail",outcome="retry"} 1',
    'torus_bucket_calls_total{kind="influxdb",call="read",outcome="bucket_unavailable"} 1',
    "torus_scheduled_job_failures_total 1",
    "torus_worker_crashes_total 1",
    'torus_events_sent_total{type="job"} 1',
    "torus_event_streams_slow_total 1",
    'torus_mcp_calls_total{tool="list_models",outcome="ok"} 1',
    'torus_received_points_total{protocol="remote_write"} 7',
    'torus_refused_points_total{protocol="remote_write",reason="label"} 2',
  ])
    expect(lines).toContain(line);
});

test("gauges are of the moment they are asked for", async () => {
  const meter = makeMeter({ rssBytes: 1234, cpuSeconds: 2.5 });
  expect(await meter.linesOf()).toContain("torus_models 1");
  const lines = await meter.linesOf();
  for (const line of [
    "torus_models 2",
    "torus_buckets 2",
    "torus_live_models 3",
    "torus_anomalies_open 4",
    "torus_hook_deliveries_waiting 5",
    "torus_event_streams 6",
    'torus_jobs{type="training",state="waiting"} 2',
    "process_resident_memory_bytes 1234",
    "process_cpu_seconds_total 2.5",
    "process_start_time_seconds 5",
    'torus_info{version="9.9"} 1',
  ])
    expect(lines).toContain(line);
});

test("two servers in one process do not share what they count", async () => {
  const [one, other] = [makeMeter(), makeMeter()];
  one.onCrash();
  expect(await other.linesOf()).toContain("torus_worker_crashes_total 0");
});

describe("a node of a cluster", () => {
  const makeState = () => ({ nodes: 3, shards: 342, leaseMs: 4200, clockSkewMs: -30, feedAgeMs: 250 });

  test("shows its state, and counts shards taken, repeated writes and lost connections", async () => {
    const meter = makeMeter(undefined, makeState());
    meter.node!.onTaken(512);
    meter.node!.onWrite(1);
    meter.node!.onWrite(4);
    meter.node!.onReset();
    const lines = await meter.linesOf();
    for (const line of [
      "torus_cluster_nodes 3",
      "torus_node_shards 342",
      "torus_node_lease_seconds 4.2",
      "torus_node_clock_skew_seconds -0.03",
      "torus_feed_age_seconds 0.25",
      "torus_node_takeovers_total 512",
      "torus_store_writes_total 2",
      "torus_store_retries_total 3",
      "torus_pool_resets_total 1",
      "# HELP torus_live_models Models in live detection: of the cluster, on each node; use max, not sum",
    ])
      expect(lines).toContain(line);
  });

  test("without its lease it counts no rows, of a database that may hang", async () => {
    const state = makeState();
    const meter = makeMeter(undefined, state);
    const census = async () => (await meter.linesOf()).filter((line) => /^torus_(jobs|models)\b/.test(line));
    const counted = await census();
    expect(counted).toEqual(['torus_jobs{type="training",state="waiting"} 1', "torus_models 1"]);
    state.leaseMs = 0;
    expect(await census()).toEqual([]);
    expect(await meter.linesOf()).toContain("torus_node_lease_seconds 0");
    state.leaseMs = 4200;
    expect(await census()).toEqual(['torus_jobs{type="training",state="waiting"} 2', "torus_models 2"]);
  });

  test("a server whose state is a file shows nothing of it", async () => {
    const meter = makeMeter();
    expect(meter.node).toBeUndefined();
    expect((await meter.linesOf()).join("\n")).not.toMatch(
      /torus_(node|cluster|store|feed|pool)_|of the cluster/,
    );
  });
});
