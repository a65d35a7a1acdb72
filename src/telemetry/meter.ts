// Metrics of the server in Prometheus text format; label values are bounded.
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ChangeType } from "../core/change.ts";
import type { JobEnd } from "../jobs/queue/run.ts";
import type { EvaluationReport } from "../live/slot.ts";
import type { BucketCall } from "../resources/buckets/metered-bucket.ts";
import type { Received } from "../resources/receivers/tally.ts";
import type { ScheduledRun } from "../scheduler/timetable.ts";
import type { StoreStatistics } from "../store/db/statistics.ts";
import type { NodeState } from "../store/postgres/nodes.ts";
import { createNodeMetrics } from "./node-metrics.ts";
import { type Answered, RequestMetrics, timeBounds } from "./request-metrics.ts";

/** Resource usage of the process. */
export interface Usage {
  readonly rssBytes: number;
  /** User and system. */
  readonly cpuSeconds: number;
}

interface MeterDeps {
  readonly version: string;
  /** When the process started, ms since the epoch. */
  readonly startedAt: number;
  readonly countRows: () => Promise<StoreStatistics>;
  /** Open streams of events. */
  readonly countStreams: () => number;
  readonly measureUsage: (() => Usage) | undefined;
  /** Of a node that shares the state with others. */
  readonly nodeState?: () => NodeState;
}

export type Meter = ReturnType<typeof createMeter>;

const evaluationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Instruments of one server; each `on...` counts one event. */
export function createMeter(deps: MeterDeps) {
  const registry = new Registry();
  const refresh = addGauges(registry, deps);
  const requests = new RequestMetrics();
  const failures = counterOf(registry)(
    "auth_failures_total",
    "Requests refused for wrong or missing credentials",
  );
  return {
    onAnswer(answered: Answered): void {
      requests.add(answered);
      if (answered.status === 401) failures.inc();
    },
    ...createWorkMeter(registry),
    ...createLiveMeter(registry),
    ...createDataMeter(registry),
    ...createClientMeter(registry),
    /** Events of the node; absent where the state is a file. */
    node: deps.nodeState && createNodeMetrics(registry, deps.nodeState),
    contentType: registry.contentType as string,
    /** All metrics as text. */
    async render(): Promise<string> {
      await refresh();
      return `${requests.render()}\n\n${await registry.metrics()}`;
    },
  };
}

function counterOf(registry: Registry) {
  return <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `torus_${name}`, help, labelNames, registers: [registry] });
}

interface HistogramOptions<L extends string> {
  readonly labels?: readonly L[];
  readonly buckets?: readonly number[];
}

function histogramOf(registry: Registry) {
  return <L extends string>(
    name: string,
    help: string,
    { labels = [], buckets = timeBounds }: HistogramOptions<L> = {},
  ) =>
    new Histogram({
      name: `torus_${name}`,
      help,
      labelNames: labels,
      buckets: [...buckets],
      registers: [registry],
    });
}

/** Jobs, scheduled jobs, workers and deliveries. */
function createWorkMeter(registry: Registry) {
  const counter = counterOf(registry);
  const jobs = counter("jobs_ended_total", "Jobs that ended", ["type", "state"]);
  const crashes = counter("worker_crashes_total", "Compute workers that died and were replaced");
  const scheduled = counter("scheduled_job_failures_total", "Runs of scheduled jobs that failed");
  const attempts = counter("hook_attempts_total", "Delivery attempts to hooks", ["kind", "outcome"]);
  return {
    onJobEnd({ type, state }: Pick<JobEnd, "type" | "state">): void {
      jobs.inc({ type, state });
    },
    onCrash(): void {
      crashes.inc();
    },
    onScheduledRun({ error }: Pick<ScheduledRun, "error">): void {
      if (error !== null) scheduled.inc();
    },
    onAttempt(kind: string, outcome: string): void {
      attempts.inc({ kind, outcome });
    },
  };
}

/** Live detection. */
function createLiveMeter(registry: Registry) {
  const counter = counterOf(registry);
  const histogram = histogramOf(registry);
  const evaluations = counter("live_evaluations_total", "Live evaluations", ["outcome"]);
  const missed = counter("live_windows_missed_total", "Live windows skipped by late evaluations");
  const refused = counter("live_refused_total", "Evaluations refused because their model changed meanwhile");
  const lateness = histogram("live_lateness_seconds", "From when an evaluation was due to its start", {
    buckets: evaluationBuckets,
  });
  const evaluationTime = histogram("live_evaluation_duration_seconds", "Time of a live evaluation", {
    buckets: evaluationBuckets,
  });
  return {
    onEvaluation({ end, lateMs, durationMs, missed: skipped }: EvaluationReport): void {
      evaluations.inc({ outcome: end });
      lateness.observe(lateMs / 1000);
      evaluationTime.observe(durationMs / 1000);
      missed.inc(skipped);
    },
    onRefused(): void {
      refused.inc();
    },
  };
}

/** Data sources, points that are pushed, and calendars. */
function createDataMeter(registry: Registry) {
  const counter = counterOf(registry);
  const histogram = histogramOf(registry);
  const calls = counter("bucket_calls_total", "Calls to data sources", ["kind", "call", "outcome"]);
  const callTime = histogram("bucket_call_duration_seconds", "Time of a call to a data source", {
    labels: ["kind", "call"],
  });
  const received = counter("received_points_total", "Points pushed and stored", ["protocol"]);
  const refused = counter("refused_points_total", "Points pushed and not stored", ["protocol", "reason"]);
  const calendarFailures = counter(
    "calendar_failures_total",
    "Readings of addresses of calendars that failed, refused texts included",
  );
  return {
    onBucketCall({ kind, call, outcome, ms }: BucketCall): void {
      calls.inc({ kind, call, outcome });
      callTime.observe({ kind, call }, ms / 1000);
    },
    onReceived({ protocol, stored, refused: reasons }: Received): void {
      received.inc({ protocol }, stored);
      for (const [reason, count] of reasons) refused.inc({ protocol, reason }, count);
    },
    onCalendarFailure(): void {
      calendarFailures.inc();
    },
  };
}

/** Streams of events, and calls of assistants. */
function createClientMeter(registry: Registry) {
  const counter = counterOf(registry);
  const eventsSent = counter("events_sent_total", "Events put into streams", ["type"]);
  const slow = counter("event_streams_slow_total", "Streams of events cut because the client did not read");
  const mcpCalls = counter("mcp_calls_total", "Calls of tools by assistants", ["tool", "outcome"]);
  return {
    onEventSent(type: ChangeType): void {
      eventsSent.inc({ type });
    },
    onSlowStream(): void {
      slow.inc();
    },
    /** @param outcome `ok`, or the code of the error */
    onMcpCall({ tool, outcome }: { readonly tool: string; readonly outcome: string }): void {
      mcpCalls.inc({ tool, outcome });
    },
  };
}

/** @returns a function that sets all gauges from one read of the store and the process */
function addGauges(
  registry: Registry,
  { version, startedAt, countRows, countStreams, measureUsage, nodeState }: MeterDeps,
): () => Promise<void> {
  const registers = [registry];
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const info = gauge("torus_info", "Version of the server", ["version"]);
  const start = gauge("process_start_time_seconds", "When the process started, seconds since the epoch");
  info.set({ version }, 1);
  start.set(startedAt / 1000);
  const rss = measureUsage && gauge("process_resident_memory_bytes", "Memory the process uses");
  // A counter by its meaning; the library can only set gauges.
  const cpu = measureUsage && gauge("process_cpu_seconds_total", "CPU time used, user and system");
  const ofAll = nodeState ? ": of the cluster, on each node; use max, not sum" : "";
  const jobs = gauge("torus_jobs", `Stored jobs by type and state${ofAll}`, ["type", "state"]);
  const streams = gauge("torus_event_streams", "Clients that follow events");
  const counts = {
    models: gauge("torus_models", `Models${ofAll}`),
    buckets: gauge("torus_buckets", `Buckets${ofAll}`),
    live: gauge("torus_live_models", `Models in live detection${ofAll}`),
    anomalies: gauge("torus_anomalies_open", `Open anomalies${ofAll}`),
    outbox: gauge("torus_hook_deliveries_waiting", `Waiting deliveries to hooks, retries included${ofAll}`),
  };
  return async () => {
    const usage = measureUsage?.();
    if (usage) {
      rss?.set(usage.rssBytes);
      cpu?.set(usage.cpuSeconds);
    }
    streams.set(countStreams());
    // The other metrics say why, which they could not while the database hangs.
    if (nodeState?.().leaseMs === 0) {
      for (const instrument of Object.values(counts)) instrument.remove();
      return jobs.reset();
    }
    const counted = await countRows();
    for (const [name, instrument] of Object.entries(counts))
      instrument.set(counted[name as keyof typeof counts]);
    jobs.reset();
    for (const { type, state, count } of counted.jobs) jobs.set({ type, state }, count);
  };
}
