// Kind of resource that files describe: the contract of its check, plan and deletion.
import type { OpenContext } from "../../buckets/kind.ts";
import type { Creator } from "../../core/access/token.ts";
import type { ResourceKind } from "../../core/apply/kinds.ts";
import type { FieldChange, Resource } from "../../core/apply/resource.ts";
import { isRecord } from "../../core/input/json.ts";
import type { BucketSettings } from "../../core/model/bucket-settings.ts";
import type { Allowances } from "../../hooks/kind.ts";
import type { AppliedKey } from "../../store/applied.ts";
import type { CalendarRow } from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";
import type { ScheduledJobRow } from "../../store/scheduled-jobs.ts";
import type { Buckets } from "../buckets/index.ts";
import type { Calendars } from "../calendars/index.ts";
import type { Hooks } from "../hooks/index.ts";
import type { Models } from "../models/index.ts";
import type { ScheduledJobs } from "../scheduled-jobs.ts";
import type { Deleter } from "../shared/deletion.ts";
import type { Templates } from "../templates/index.ts";

export interface ApplyDeps {
  readonly store: Store;
  readonly buckets: Pick<Buckets, "put" | "remove">;
  readonly calendars: Pick<Calendars, "check" | "put" | "remove">;
  readonly models: Pick<Models, "create" | "patch" | "remove">;
  readonly templates: Pick<Templates, "put" | "remove">;
  readonly hooks: Pick<Hooks, "put" | "remove">;
  readonly scheduledJobs: Pick<ScheduledJobs, "checkRequest" | "put" | "patch" | "remove">;
  readonly context: OpenContext;
  /** Limits of the settings on hooks. */
  readonly allowed: Allowances;
}

/** Stored resources, and those planned so far. */
export interface Present {
  /** Settings by name; planned ones are added. */
  readonly buckets: Map<string, BucketSettings>;
  /** Settings by name; undefined: a model that will be created. */
  readonly models: Map<string, Record<string, unknown> | undefined>;
  readonly calendars: ReadonlyMap<string, CalendarRow>;
  /** Of stored calendars; planned ones are added. */
  readonly calendarNames: Set<string>;
  readonly templates: ReadonlyMap<string, unknown>;
  readonly jobs: ReadonlyMap<string, ScheduledJobRow>;
}

export interface Planned {
  readonly kind: ResourceKind;
  readonly name: string;
  /** Model of the hook. */
  readonly model?: string;
  readonly action: "create" | "change" | "none";
  readonly fields: readonly FieldChange[];
  readonly run: () => Promise<void>;
}

export interface PlanOptions {
  /** Replaces buckets as a whole, as `POST /buckets` does: missing secrets are removed, the type may change. */
  readonly replaceBuckets?: boolean;
  readonly creator?: Creator | undefined;
}

export interface PlanContext extends PlanOptions {
  readonly deps: ApplyDeps;
  readonly present: Present;
}

export interface CheckContext {
  /** Settings by name of the buckets checked before; a bucket adds its own. */
  readonly buckets: Map<string, BucketSettings>;
  readonly allowed: Allowances;
}

/** A kind of resource that files describe. */
export interface AppliedKind {
  /** Checks a resource without a store. @throws TorusError `invalid` */
  check(resource: Resource, context: CheckContext): void;
  /**
   * Checks a resource and compares it with its stored state; one that stands for several has a plan for each.
   * @throws TorusError `invalid`
   */
  plan(resource: Resource, context: PlanContext): Promise<Planned[]>;
  /** Deletes a resource. @throws TorusError */
  remove(deps: ApplyDeps, key: AppliedKey, deleter: Deleter): Promise<unknown>;
}

/** A patch that results in `next`: null for each key of `old` that is not in it. */
export function withRemovals(old: unknown, next: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const removed = Object.keys(isRecord(old) ? old : {}).filter((key) => !Object.hasOwn(next, key));
  return { ...next, ...Object.fromEntries(removed.map((key) => [key, null])) };
}

/** @param fields changed fields; undefined: the resource will be created */
export function finish(
  key: Pick<Planned, "kind" | "name" | "model">,
  fields: readonly FieldChange[] | undefined,
  run: () => Promise<void>,
): Planned {
  const action = !fields ? "create" : fields.length > 0 ? "change" : "none";
  return { ...key, action, fields: fields ?? [], run };
}
