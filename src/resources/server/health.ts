// Health: readiness of storage, live detection, compute workers, connections, files of buckets, and the node in its cluster.
import { readdirSync, readFileSync } from "node:fs";
import type { HealthView } from "../../api/server/health.ts";
import { describeError } from "../../core/errors.ts";
import { MAX_SKEW_MS } from "../../core/ownership.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { probeWrite } from "../../store/db/statistics.ts";
import type { NodeState } from "../../store/postgres/nodes.ts";

/** Results are cached for this long, so that frequent probes do not load the disk. */
const CACHE_MS = 1000;
/** Live evaluations overdue for longer fail the check. */
const MAX_OVERDUE_MS = 60_000;
/** A larger share of file descriptors in use fails the check: connections may be refused soon. */
const MAX_DESCRIPTOR_SHARE = 0.9;
/** Damaged buckets that are named. */
const MAX_DAMAGE = 10;
/** What is known of other nodes fails the check when it is older. */
const MAX_FEED_AGE_MS = 2000;

interface HealthDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Delay of the most overdue live evaluation, ms. */
  readonly overdueMs: () => number;
  /** Whether compute workers crash repeatedly. */
  readonly workersFail: () => boolean;
  /** Damaged files of buckets, and what to do. */
  readonly damage: () => readonly string[];
  /** Undefined if the system does not report it. */
  readonly descriptors: () => DescriptorUse | undefined;
  /** Of a node that shares the state with others. */
  readonly nodeState?: () => NodeState;
}

export type Health = HealthView;
type HealthCheck = Health["checks"]["live"];

/** @returns checks of all parts; `check` never throws */
export function createHealth(deps: HealthDeps): { check(): Promise<Health> } {
  let known: { readonly at: number; readonly health: Promise<Health> } | undefined;
  return {
    check() {
      // The database may hang, which the result in the cache does not know either.
      if (deps.nodeState?.().leaseMs === 0) return checkAll(deps);
      const at = deps.clock.now();
      if (!known || Math.abs(at - known.at) >= CACHE_MS) known = { at, health: checkAll(deps) };
      return known.health;
    },
  };
}

async function checkAll(deps: HealthDeps): Promise<Health> {
  const checks = {
    storage: await checkStorage(deps),
    live: checkLive(deps),
    workers: checkWorkers(deps),
    connections: checkDescriptors(deps),
    buckets: checkBuckets(deps),
    ...(deps.nodeState && { cluster: checkNode(deps.nodeState()) }),
  };
  const errors = Object.values(checks).flatMap(({ error }) => error ?? []);
  return errors.length === 0 ? { ready: true, checks } : { ready: false, error: errors.join("; "), checks };
}

async function checkStorage({ store, clock, nodeState }: HealthDeps): Promise<HealthCheck> {
  if (nodeState?.().leaseMs === 0) return { ok: false, error: "not probed while the lease is lost" };
  try {
    await probeWrite(store, clock.now());
    return { ok: true };
  } catch (error) {
    return { ok: false, error: describeError(error).message };
  }
}

function checkLive({ overdueMs }: HealthDeps): HealthCheck {
  const overdue = overdueMs();
  if (overdue <= MAX_OVERDUE_MS) return { ok: true };
  const error = `a live evaluation is ${Math.round(overdue / 1000)} s overdue: check for slow buckets, or run fewer live models`;
  return { ok: false, error };
}

function checkWorkers({ workersFail }: HealthDeps): HealthCheck {
  if (!workersFail()) return { ok: true };
  return {
    ok: false,
    error: "compute workers cannot start: see the log for the reason, and check the available memory",
  };
}

function checkBuckets({ damage }: HealthDeps): HealthCheck {
  const found = damage();
  return found.length === 0 ? { ok: true } : { ok: false, error: found.slice(0, MAX_DAMAGE).join("; ") };
}

function checkDescriptors({ descriptors }: HealthDeps): HealthCheck {
  const use = descriptors();
  if (!use || use.used < use.limit * MAX_DESCRIPTOR_SHARE) return { ok: true };
  const error = `${use.used} of ${use.limit} file descriptors are in use: raise the limit (ulimit -n), or open fewer connections`;
  return { ok: false, error };
}

/** In memory alone: it answers also while the database hangs. */
function checkNode({ leaseMs, feedAgeMs, clockSkewMs }: NodeState): HealthCheck {
  if (leaseMs === 0)
    return failNode(
      "the lease of this node is lost, and other nodes do its work: check the database and the network to it; the node joins again by itself",
    );
  if (feedAgeMs >= MAX_FEED_AGE_MS)
    return failNode(
      `what this node knows of others is ${seconds(feedAgeMs)} s old: check the load of the database and the network to it`,
    );
  if (Math.abs(clockSkewMs) <= MAX_SKEW_MS) return { ok: true };
  const off = `${seconds(Math.abs(clockSkewMs))} s ${clockSkewMs > 0 ? "ahead of" : "behind"}`;
  return failNode(
    `the clock of this node is ${off} that of the database: synchronize both (NTP); until then other nodes do its live work`,
  );
}

function failNode(error: string): HealthCheck {
  return { ok: false, error };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

interface DescriptorUse {
  readonly used: number;
  /** Limit of the process, `ulimit -n`. */
  readonly limit: number;
}

/** File descriptors of the process (Linux). @returns undefined if the system does not report them */
export function measureDescriptors(folder = "/proc/self"): DescriptorUse | undefined {
  try {
    const limit = readLimit(readFileSync(`${folder}/limits`, "utf8"));
    return limit === undefined ? undefined : { used: readdirSync(`${folder}/fd`).length, limit };
  } catch (error) {
    // Counting needs a descriptor too.
    if (["EMFILE", "ENFILE"].includes((error as { code?: string }).code ?? "")) return { used: 1, limit: 1 };
    return undefined;
  }
}

/** The soft limit. */
function readLimit(limits: string): number | undefined {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
