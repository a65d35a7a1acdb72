// Tables of resources: of each kind its rows, their cap, and its noun in messages.
import { and, eq, type SQL } from "drizzle-orm";
import type { ResourceKind } from "../core/apply/kinds.ts";
import { caps } from "./db/caps.ts";
import { buckets, calendars, globalHooks, hooks, models, scheduledJobs, templates } from "./db/schema.ts";

const tables = {
  bucket: { table: buckets, cap: caps.buckets, noun: "bucket" },
  calendar: { table: calendars, cap: caps.calendars, noun: "calendar" },
  template: { table: templates, cap: caps.templates, noun: "template" },
  model: { table: models, cap: caps.models, noun: "model" },
  hook: { table: globalHooks, cap: caps.globalHooks, noun: "global hook" },
  scheduled_job: {
    table: scheduledJobs,
    cap: caps.scheduledJobs,
    counted: eq(scheduledJobs.origin, "api"),
    noun: "scheduled job",
  },
} as const satisfies Record<ResourceKind, object>;

interface ResourceTable {
  readonly table: typeof hooks | (typeof tables)[ResourceKind]["table"];
  readonly cap: (typeof caps)[keyof typeof caps];
  /** The rows that count towards the cap; absent: all. */
  readonly counted?: SQL;
  readonly noun: string;
}

interface KindOfModel {
  readonly kind: ResourceKind;
  /** Of a hook of a model. */
  readonly model?: string | null | undefined;
}

/** Where the rows of a kind are: hooks of models have a table of their own. */
export function tableOf({ kind, model }: KindOfModel): ResourceTable {
  if (kind !== "hook" || typeof model !== "string") return tables[kind];
  return { table: hooks, cap: caps.hooks, counted: eq(hooks.model, model), noun: `hook of model ${model}` };
}

/** Finds the row of a resource. */
export function isResource(of: KindOfModel, name: string): SQL | undefined {
  const { table } = tableOf(of);
  return and(eq(table.name, name), table === hooks ? eq(hooks.model, of.model!) : undefined);
}
