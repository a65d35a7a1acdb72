// Health: whether the server does what it is there for, and what keeps it from it.
import { readdirSync, readFileSync } from "node:fs";
import type { HealthView } from "../api/health.ts";
import { describeError } from "../core/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { probeWrite } from "../store/db/statistics.ts";

/** An answer is good for so long: whoever asks often must not keep the disk busy. */
const FRESH_MS = 1000;
/** An evaluation that waits longer than this is late, whatever its interval. */
const LATE_MS = 60_000;
/** With a larger share of the file descriptors in use, the next connections may find none. */
const DESCRIPTORS_SHARE = 0.9;

export interface HealthDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** How long the live evaluation that has waited longest is overdue, ms. */
  readonly overdueMs: () => number;
  /** Whether compute workers die again and again. */
  readonly workersFail: () => boolean;
  /** Undefined where the system does not say. */
  readonly descriptors: () => DescriptorUse | undefined;
}

export type Health = HealthView;
type HealthCheck = Health["checks"]["live"];

/** @returns a function that looks at every part; it never throws */
export function createHealth(deps: HealthDeps): { check(): Promise<Health> } {
  let known: { readonly at: number; readonly health: Promise<Health> } | undefined;
  return {
    check() {
      const at = deps.clock.now();
      if (!known || Math.abs(at - known.at) >= FRESH_MS) known = { at, health: checkAll(deps) };
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
  if (overdue <= LATE_MS) return { ok: true };
  const error = `a live evaluation is ${Math.round(overdue / 1000)} s overdue: look at slow buckets, or watch fewer models`;
  return { ok: false, error };
}

function checkWorkers({ workersFail }: HealthDeps): HealthCheck {
  if (!workersFail()) return { ok: true };
  return { ok: false, error: "compute workers cannot start: the log says why; is there enough memory?" };
}

function checkDescriptors({ descriptors }: HealthDeps): HealthCheck {
  const use = descriptors();
  if (!use || use.used < use.limit * DESCRIPTORS_SHARE) return { ok: true };
  const error = `${use.used} of ${use.limit} file descriptors are in use: raise the limit (ulimit -n), or open fewer connections`;
  return { ok: false, error };
}

export interface DescriptorUse {
  readonly used: number;
  /** Limit of the process, `ulimit -n`. */
  readonly limit: number;
}

/** @returns undefined where the system does not say */
export function measureDescriptors(folder = "/proc/self"): DescriptorUse | undefined {
  try {
    const limit = readLimit(readFileSync(`${folder}/limits`, "utf8"));
    return limit === undefined ? undefined : { used: readdirSync(`${folder}/fd`).length, limit };
  } catch (error) {
    // To count takes one too.
    if (["EMFILE", "ENFILE"].includes((error as { code?: string }).code ?? "")) return { used: 1, limit: 1 };
    return undefined;
  }
}

/** The soft limit. */
function readLimit(limits: string): number | undefined {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
