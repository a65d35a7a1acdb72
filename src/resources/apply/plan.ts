// Plan of an apply: each resource is checked and compared with its stored state before anything changes.
import type { Mistake, Resource } from "../../core/apply/resource.ts";
import { fieldErrorsOf, invalid, TorusError } from "../../core/errors.ts";
import { listBuckets } from "../../store/buckets.ts";
import { listCalendars } from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";
import { readAllModels } from "../../store/models.ts";
import { pageScheduledJobs } from "../../store/scheduled-jobs.ts";
import { listTemplates } from "../../store/templates.ts";
import { idOfResource } from "./key.ts";
import type { CheckContext, PlanContext, Planned, Present } from "./kind.ts";
import { appliedKinds } from "./kinds.ts";

/** Reads the stored resources, except for hooks: these are read when needed. */
export async function loadPresent(store: Store): Promise<Present> {
  const byName = <T extends { readonly name: string }>(rows: readonly T[]) =>
    rows.map((row) => [row.name, row] as const);
  const jobs = new Map(byName((await Array.fromAsync(pageScheduledJobs(store))).flat()));
  const calendars = new Map(byName(await listCalendars(store)));
  return {
    buckets: new Map((await listBuckets(store)).map((row) => [row.name, row.settings])),
    models: new Map((await readAllModels(store)).map((row) => [row.name, row.settings])),
    calendars,
    calendarNames: new Set(calendars.keys()),
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

/** Checks resources without a store, in their order. @returns all that is wrong with them */
export function checkResources(resources: readonly Resource[], context: CheckContext): Mistake[] {
  const seen = new Set<string>();
  return resources.flatMap((resource, index) => {
    try {
      appliedKinds[resource.kind].check(resource, context);
      assertNew(idOfResource(resource), seen);
      return [];
    } catch (error) {
      if (!(error instanceof TorusError)) throw error;
      return fieldErrorsOf(error).map((field) => ({ index, ...field }));
    }
  });
}

/** @throws TorusError `invalid` where `seen` has the key, which is added otherwise */
export function assertNew(id: string, seen: Set<string>): void {
  if (seen.has(id)) throw new TorusError("invalid", "is described twice");
  seen.add(id);
}
