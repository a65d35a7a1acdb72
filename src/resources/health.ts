// Health: readiness of storage, live detection, compute workers and connections.
import { readdirSync, readFileSync } from "node:fs";
import type { HealthView } from "../api/health.ts";
import { describeError } from "../core/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { probeWrite } from "../store/db/statistics.ts";

/** Results are cached for this long, so that frequent probes do not load the disk. */
const CACHE_MS = 1000;
/** Live evaluations overdue for longer fail the check. */
const MAX_OVERDUE_MS = 60_000;
/** A larger share of file descriptors in use fails the check: connections may be refused soon. */
const MAX_DESCRIPTOR_SHARE = 0.9;

interface HealthDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Delay of the most overdue live evaluation, ms. */
  readonly overdueMs: () => number;
  /** Whether compute workers crash repeatedly. */
  readonly workersFail: () => boolean;
  /** Undefined if the system does not report it. */
  readonly descriptors: () => DescriptorUse | undefined;
}

export type Health = HealthView;
type HealthCheck = Health["checks"]["live"];

/** @returns checks of all parts; `check` never throws */
export function createHealth(deps: HealthDeps): { check(): Promise<Health> } {
  let known: { readonly at: number; readonly health: Promise<Health> } | undefined;
  return {
    check() {
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
  };
  const errors = Object.values(checks).flatMap(({ error }) => error ?? []);
  return errors.length === 0 ? { ready: true, checks } : { ready: false, error: errors.join("; "), checks };
}

async function checkStorage({ store, clock }: HealthDeps): Promise<HealthCheck> {
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

function checkDescriptors({ descriptors }: HealthDeps): HealthCheck {
  const use = descriptors();
  if (!use || use.used < use.limit * MAX_DESCRIPTOR_SHARE) return { ok: true };
  const error = `${use.used} of ${use.limit} file descriptors are in use: raise the limit (ulimit -n), or open fewer connections`;
  return { ok: false, error };
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
