// Kinds of resources that files describe: how each is checked, compared with its stored state, changed and deleted.
import { checkBucket, kindOf, mergeBucket, viewBucket } from "../../buckets/index.ts";
import { HookSelector } from "../../core/anomaly/hook-selector.ts";
import { diffSettings } from "../../core/apply/diff.ts";
import type { ResourceKind } from "../../core/apply/kinds.ts";
import { type CalendarSettings, checkCalendar, keepUrl, showCalendar } from "../../core/calendar/settings.ts";
import { invalid } from "../../core/errors.ts";
import { Name } from "../../core/input/name.ts";
import { check } from "../../core/input/schema.ts";
import type { BucketSettings } from "../../core/model/bucket-settings.ts";
import { calendarPaths, noCalendar } from "../../core/model/calendar-references.ts";
import { checkChanged } from "../../core/model/change-rules.ts";
import { checkTemplate } from "../../core/model/template.ts";
import type { ScheduledJob } from "../../core/time/scheduled-job.ts";
import { checkDefinition, expandAll } from "../../core/time/scheduled-plan.ts";
import { checkHook, type HookSettings, replaceHook, viewHook } from "../../hooks/index.ts";
import { type HookRow, listHooks } from "../../store/hooks.ts";
import type { ScheduledJobRow } from "../../store/scheduled-jobs.ts";
import { checkContent } from "../calendars/check-text.ts";
import { splitSelector } from "../hooks/body.ts";
import { toHookSettings } from "../hooks/view.ts";
import { assertRetrainName, checkModel } from "../models/settings.ts";
import { mergeJob, viewDefinition } from "../scheduled-jobs.ts";
import { type AppliedKind, finish, type PlanContext, withRemovals } from "./kind.ts";

/** The `until` of a mute window passes while its file stays. */
const ofFile = { endedMutes: true };

const bucket: AppliedKind = {
  check({ settings }, { buckets }) {
    const checked = checkBucket(settings);
    buckets.set(checked.name, checked);
  },
  async plan({ settings }, { deps, present, replaceBuckets }) {
    const old = present.buckets.get(String(settings.name));
    const after = !old || replaceBuckets ? checkBucket(settings) : changeBucket(old, settings);
    present.buckets.set(after.name, after);
    const view = (bucket: BucketSettings) => ({ full: bucket, shown: viewBucket(bucket) });
    const fields = old ? diffSettings(view(old), view(after)) : undefined;
    if (fields?.length !== 0) await kindOf(after).checkPlace?.(after, deps.context);
    return [finish({ kind: "bucket", name: after.name }, fields, () => deps.buckets.put(after))];
  },
  remove: ({ buckets }, { name }, deleter) => buckets.remove([name], { force: false, ...deleter }),
};

/** Settings missing in the file are removed, except for secrets, which cannot be read back into a file. */
function changeBucket(old: BucketSettings, settings: Record<string, unknown>): BucketSettings {
  if (settings.type === old.type) return mergeBucket(old, withRemovals(viewBucket(old), settings));
  checkBucket(settings);
  throw invalid("type", `is ${old.type} on the server and cannot be changed: delete the bucket first`);
}

const calendar: AppliedKind = {
  check: ({ settings }, { allowed }) => void checkContent(checkCalendar(settings), allowed),
  async plan({ settings }, { deps, present }) {
    const row = present.calendars.get(String(settings.name));
    const old =
      row && (row.settings.url === undefined ? { ...row.settings, ical: row.ical ?? "" } : row.settings);
    const after = deps.calendars.check(keepUrl(old, settings));
    const view = (calendar: CalendarSettings) => ({ full: calendar, shown: showCalendar(calendar) });
    const fields = old ? diffSettings(view(old), view(after)) : undefined;
    const put = async () => void (await deps.calendars.put(after));
    return [finish({ kind: "calendar", name: after.name }, fields, put)];
  },
  remove: ({ calendars }, { name }, deleter) => calendars.remove([name], deleter),
};

const template: AppliedKind = {
  check: ({ name, settings }) => void checkNamedTemplate(name, settings),
  async plan({ name: given, settings }, { deps, present }) {
    const { name, after } = checkNamedTemplate(given, settings);
    const old = present.templates.get(name);
    const fields = old ? diffSettings({ full: old, shown: old }, { full: after, shown: after }) : undefined;
    return [finish({ kind: "template", name }, fields, () => deps.templates.put(name, after))];
  },
  remove: ({ templates }, { name }, deleter) => templates.remove([name], deleter),
};

function checkNamedTemplate(given: string | undefined, settings: Record<string, unknown>) {
  if (given === undefined) throw invalid("name", "is required: the name of the template");
  return { name: check(Name, given, "name"), after: checkTemplate(settings) };
}

const model: AppliedKind = {
  check: ({ settings }, { buckets }) => void checkModel(settings, buckets),
  async plan({ settings }, { deps, present }) {
    const after = checkModel(settings, present.buckets);
    const { name } = after;
    for (const [path, calendar] of calendarPaths(after))
      if (!present.calendarNames.has(calendar)) throw noCalendar(path, calendar);
    const key = { kind: "model", name } as const;
    await assertRetrainName(deps.store, name, after);
    const old = present.models.get(name);
    checkChanged(after, old);
    if (!old) return [finish(key, undefined, () => deps.models.create(after, ofFile))];
    const fields = diffSettings({ full: old, shown: old }, { full: after, shown: after });
    return [
      finish(key, fields, () => deps.models.patch([name], withRemovals(old, after), undefined, ofFile)),
    ];
  },
  remove: ({ models }, { name }, deleter) => models.remove([name], deleter),
};

const hook: AppliedKind = {
  check({ model, settings: { selector = {}, ...settings } }, { allowed }) {
    if (model === undefined) check(HookSelector, selector, "selector");
    checkHook(settings, allowed);
  },
  async plan({ model, settings: given }, { deps, present }) {
    const rows = await listPresentHooks(model, { deps, present });
    const { selector, settings } =
      model === undefined ? splitSelector(given) : { selector: undefined, settings: given };
    const row = rows.find(({ name }) => name === settings.name);
    const old = row && toHookSettings(row.name, row);
    // Missing secrets are taken from the stored hook.
    const after = replaceHook(old, settings, deps.allowed);
    const view = (hook: HookSettings, selector: unknown) => ({
      full: { ...hook, selector },
      shown: { ...viewHook(hook), selector },
    });
    const fields = old ? diffSettings(view(old, row.selector), view(after, selector)) : undefined;
    const key = { kind: "hook", name: after.name, ...(model !== undefined && { model }) } as const;
    return [finish(key, fields, () => deps.hooks.put(model ?? null, given, after.name, ofFile))];
  },
  remove: ({ hooks }, { model, name }, deleter) => hooks.remove(model ?? null, name, deleter),
};

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

const scheduledJob: AppliedKind = {
  check: ({ settings }) => void checkDefinition(settings),
  async plan({ settings }, { deps, present, creator }) {
    checkDefinition(settings);
    return expandAll([settings], [...present.models.keys()]).map((job) => {
      const key = { kind: "scheduled_job", name: job.name } as const;
      const row = present.jobs.get(job.name);
      if (!row) {
        deps.scheduledJobs.checkRequest(job);
        return finish(key, undefined, () => deps.scheduledJobs.put(job, creator));
      }
      const patch = withRemovals(row.definition, job);
      const view = (definition: ScheduledJob) => ({ full: definition, shown: viewDefinition(definition) });
      const fields = diffSettings(view(row.definition), view(mergeJob(row.definition, patch)));
      if (row.origin !== "api" && fields.length > 0) throw invalid("name", ownerRule(row));
      return finish(key, fields, () => deps.scheduledJobs.patch([job.name], patch, creator));
    });
  },
  remove: ({ scheduledJobs }, { name }, deleter) => scheduledJobs.remove([name], deleter),
};

function ownerRule({ name, origin }: ScheduledJobRow): string {
  const owner =
    origin === "config"
      ? "the settings file of the server defines"
      : "the setting retrain of a model defines";
  return `${owner} the scheduled job ${name}: change it there, or choose another name`;
}

export const appliedKinds: Readonly<Record<ResourceKind, AppliedKind>> = {
  bucket,
  calendar,
  template,
  model,
  hook,
  scheduled_job: scheduledJob,
};
