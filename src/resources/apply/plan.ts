// Plan of an apply: each resource is checked and compared with its stored state before anything changes.
import type { Resource } from "../../core/apply/resource.ts";
import { invalid } from "../../core/errors.ts";
import { listBuckets } from "../../store/buckets.ts";
import { listCalendars } from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";
import { readAllModels } from "../../store/models.ts";
import { pageScheduledJobs } from "../../store/scheduled-jobs.ts";
import { listTemplates } from "../../store/templates.ts";
import type { CheckContext, PlanContext, Planned, Present } from "./kind.ts";
import { appliedKinds } from "./kinds.ts";

/** Reads the stored resources, except for hooks: these are read when needed. */
export async function loadPresent(store: Store): Promise<Present> {
  const byName = <T extends { readonly name: string }>(rows: readonly T[]) =>
    rows.map((row) => [row.name, row] as const);
  const jobs = new Map(byName((await Array.fromAsync(pageScheduledJobs(store))).flat()));
  return {
    buckets: new Map((await listBuckets(store)).map((row) => [row.name, row.settings])),
    models: new Map((await readAllModels(store)).map((row) => [row.name, row.settings])),
    calendars: new Map(byName(await listCalendars(store))),
    templates: new Map((await listTemplates(store)).map((row) => [row.name, row.settings])),
    jobs,
  };
}

/** Plans one resource; a scheduled job with `{{model_name}}` expands to several. @throws TorusError `invalid` */
export async function planResource(resource: Resource, context: PlanContext): Promise<Planned[]> {
  const { kind, name, model } = resource;
  if (name !== undefined && kind !== "template")
    throw invalid("name", "belongs in the settings, except for a template");
  if (model !== undefined && kind !== "hook") throw invalid("model", "is for hooks only");
  return appliedKinds[kind].plan(resource, context);
}

/** Checks a resource without a store. @throws TorusError `invalid` */
export function checkResource(resource: Resource, context: CheckContext): void {
  appliedKinds[resource.kind].check(resource, context);
}
