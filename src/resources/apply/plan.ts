// Plan of an apply: each resource is checked and compared with its stored state before anything changes.
import { checkBucket, kindOf, mergeBucket, viewBucket } from "../../buckets/index.ts";
import type { OpenContext } from "../../buckets/kind.ts";
import type { Creator } from "../../core/access/token.ts";
import { HookSelector } from "../../core/anomaly/hook-selector.ts";
import { diffSettings } from "../../core/apply/diff.ts";
import type { FieldChange, Resource, ResourceKind } from "../../core/apply/resource.ts";
import { type CalendarSettings, checkCalendar, keepUrl, showCalendar } from "../../core/calendar/settings.ts";
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { Name } from "../../core/input/name.ts";
import { check } from "../../core/input/schema.ts";
import type { BucketSettings } from "../../core/model/bucket-settings.ts";
import { checkTemplate } from "../../core/model/template.ts";
import type { ScheduledJob } from "../../core/time/scheduled-job.ts";
import { checkDefinition, expandAll } from "../../core/time/scheduled-plan.ts";
import { checkHook, type HookSettings, replaceHook, viewHook } from "../../hooks/index.ts";
import type { Allowances } from "../../hooks/kind.ts";
import { listBuckets } from "../../store/buckets.ts";
import { type CalendarRow, listCalendars } from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";
import { type HookRow, listHooks } from "../../store/hooks.ts";
import { readAllModels } from "../../store/models.ts";
import { pageScheduledJobs, type ScheduledJobRow } from "../../store/scheduled-jobs.ts";
import { listTemplates } from "../../store/templates.ts";
import type { Buckets } from "../buckets/index.ts";
import type { Calendars } from "../calendars/index.ts";
import { splitSelector } from "../hooks/body.ts";
import type { Hooks } from "../hooks/index.ts";
import { toHookSettings } from "../hooks/view.ts";
import type { Models } from "../models/index.ts";
import { assertRetrainName, checkModel } from "../models/settings.ts";
import { mergeJob, type ScheduledJobs, viewDefinition } from "../scheduled-jobs.ts";
import type { Templates } from "../templates/index.ts";

export interface ApplyDeps {
  readonly store: Store;
  readonly buckets: Pick<Buckets, "put" | "remove">;
  readonly calendars: Pick<Calendars, "check" | "put" | "remove">;
  readonly models: Pick<Models, "create" | "patch" | "remove">;
  readonly templates: Pick<Templates, "put" | "remove">;
  readonly hooks: Pick<Hooks, "put" | "remove">;
  readonly scheduledJobs: Pick<ScheduledJobs, "put" | "patch" | "remove">;
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

interface PlanContext extends PlanOptions {
  readonly deps: ApplyDeps;
  readonly present: Present;
}

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
  if (kind === "scheduled_job") return planJobs(resource.settings, context);
  return [await plans[kind](resource, context)];
}

/**
 * Checks a resource without a store.
 * @param buckets settings by name of the buckets checked before; a bucket adds its own
 * @throws TorusError `invalid`
 */
export function checkResource(
  { kind, name, model, settings }: Resource,
  { buckets, allowed }: { buckets: Map<string, BucketSettings>; allowed: Allowances },
): void {
  if (kind === "bucket") addBucket(checkBucket(settings), buckets);
  else if (kind === "calendar") checkCalendar(settings);
  else if (kind === "template") checkNamedTemplate(name, settings);
  else if (kind === "model") checkModel(settings, buckets);
  else if (kind === "hook") checkHookAlone(settings, model, allowed);
  else checkDefinition(settings);
}

function addBucket(bucket: BucketSettings, buckets: Map<string, BucketSettings>): void {
  buckets.set(bucket.name, bucket);
}

function checkHookAlone(
  { selector = {}, ...hook }: Record<string, unknown>,
  model: string | undefined,
  allowed: Allowances,
): void {
  if (model === undefined) check(HookSelector, selector, "selector");
  checkHook(hook, allowed);
}

const plans = {
  bucket: planBucket,
  calendar: planCalendar,
  template: planTemplate,
  model: planModel,
  hook: planHook,
};

async function planBucket(
  { settings }: Resource,
  { deps, present, replaceBuckets }: PlanContext,
): Promise<Planned> {
  const old = present.buckets.get(String(settings.name));
  const after = !old || replaceBuckets ? checkBucket(settings) : changeBucket(old, settings);
  addBucket(after, present.buckets);
  const view = (bucket: BucketSettings) => ({ full: bucket, shown: viewBucket(bucket) });
  const fields = old ? diffSettings(view(old), view(after)) : undefined;
  if (fields?.length !== 0) await kindOf(after).checkPlace?.(after, deps.context);
  return finish({ kind: "bucket", name: after.name }, fields, () => deps.buckets.put(after));
}

/** Settings missing in the file are removed, except for secrets, which cannot be read back into a file. */
function changeBucket(old: BucketSettings, settings: Record<string, unknown>): BucketSettings {
  if (settings.type === old.type) return mergeBucket(old, withRemovals(viewBucket(old), settings));
  checkBucket(settings);
  throw invalid("type", `is ${old.type} on the server and cannot be changed: delete the bucket first`);
}

function planCalendar({ settings }: Resource, { deps, present }: PlanContext): Planned {
  const row = present.calendars.get(String(settings.name));
  const old =
    row && (row.settings.url === undefined ? { ...row.settings, ical: row.ical ?? "" } : row.settings);
  const after = deps.calendars.check(keepUrl(old, settings));
  const view = (calendar: CalendarSettings) => ({ full: calendar, shown: showCalendar(calendar) });
  const fields = old ? diffSettings(view(old), view(after)) : undefined;
  return finish(
    { kind: "calendar", name: after.name },
    fields,
    async () => void (await deps.calendars.put(after)),
  );
}

async function planModel({ settings }: Resource, { deps, present }: PlanContext): Promise<Planned> {
  const after = checkModel(settings, present.buckets);
  const { name } = after;
  await assertRetrainName(deps.store, name, after);
  const old = present.models.get(name);
  if (!old) return finish({ kind: "model", name }, undefined, () => deps.models.create(after));
  const fields = diffSettings({ full: old, shown: old }, { full: after, shown: after });
  return finish({ kind: "model", name }, fields, () => deps.models.patch([name], withRemovals(old, after)));
}

function planTemplate({ name: given, settings }: Resource, { deps, present }: PlanContext): Planned {
  const { name, after } = checkNamedTemplate(given, settings);
  const old = present.templates.get(name);
  const fields = old ? diffSettings({ full: old, shown: old }, { full: after, shown: after }) : undefined;
  return finish({ kind: "template", name }, fields, () => deps.templates.put(name, after));
}

function checkNamedTemplate(given: string | undefined, settings: Record<string, unknown>) {
  if (given === undefined) throw invalid("name", "is required: the name of the template");
  return { name: check(Name, given, "name"), after: checkTemplate(settings) };
}

/** Missing secrets are taken from the stored hook. */
async function planHook({ model, settings }: Resource, { deps, present }: PlanContext): Promise<Planned> {
  const rows = await listPresentHooks(model, { deps, present });
  const { selector, settings: hook } =
    model === undefined ? splitSelector(settings) : { selector: undefined, settings };
  const row = rows.find(({ name }) => name === hook.name);
  const old = row && toHookSettings(row.name, row);
  const after = replaceHook(old, hook, deps.allowed);
  const view = (hook: HookSettings, selector: unknown) => ({
    full: { ...hook, selector },
    shown: { ...viewHook(hook), selector },
  });
  const fields = old ? diffSettings(view(old, row.selector), view(after, selector)) : undefined;
  const key = { kind: "hook", name: after.name, ...(model !== undefined && { model }) } as const;
  return finish(key, fields, () => deps.hooks.put(model ?? null, settings));
}

/** The stored hooks of a model, which has none before it is created, or the global ones. */
async function listPresentHooks(
  model: string | undefined,
  { deps, present }: Pick<PlanContext, "deps" | "present">,
): Promise<HookRow[]> {
  if (model === undefined) return listHooks(deps.store, null);
  check(Name, model, "model");
  if (!present.models.has(model))
    throw invalid("model", `model ${model} exists neither on the server nor in what is applied`);
  return present.models.get(model) ? listHooks(deps.store, model) : [];
}

function planJobs(settings: Record<string, unknown>, { deps, present, creator }: PlanContext): Planned[] {
  checkDefinition(settings);
  return expandAll([settings], [...present.models.keys()]).map((job) => {
    const key = { kind: "scheduled_job", name: job.name } as const;
    const row = present.jobs.get(job.name);
    if (!row) return finish(key, undefined, () => deps.scheduledJobs.put(job, creator));
    const patch = withRemovals(row.definition, job);
    const view = (definition: ScheduledJob) => ({ full: definition, shown: viewDefinition(definition) });
    const fields = diffSettings(view(row.definition), view(mergeJob(row.definition, patch)));
    if (row.origin !== "api" && fields.length > 0) throw invalid("name", ownerRule(row));
    return finish(key, fields, () => deps.scheduledJobs.patch([job.name], patch, creator));
  });
}

function ownerRule({ name, origin }: ScheduledJobRow): string {
  const owner =
    origin === "config"
      ? "the settings file of the server defines"
      : "the setting retrain of a model defines";
  return `${owner} the scheduled job ${name}: change it there, or choose another name`;
}

/** A patch that results in `next`: null for each key of `old` that is not in it. */
function withRemovals(old: unknown, next: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const removed = Object.keys(isRecord(old) ? old : {}).filter((key) => !Object.hasOwn(next, key));
  return { ...next, ...Object.fromEntries(removed.map((key) => [key, null])) };
}

/** @param fields changed fields; undefined: the resource will be created */
function finish(
  key: Pick<Planned, "kind" | "name" | "model">,
  fields: readonly FieldChange[] | undefined,
  run: () => Promise<void>,
): Planned {
  const action = !fields ? "create" : fields.length > 0 ? "change" : "none";
  return { ...key, action, fields: fields ?? [], run };
}
