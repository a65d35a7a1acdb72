// Components of what people define beside models: hooks, calendars, the bin, and declared resources.
import { download } from "../../net/download.ts";
import { Apply } from "../../resources/apply/index.ts";
import type { ApplyDeps } from "../../resources/apply/kind.ts";
import { Bin } from "../../resources/bin/index.ts";
import { Calendars } from "../../resources/calendars/index.ts";
import { CalendarRefresh } from "../../resources/calendars/refresh.ts";
import { Hooks } from "../../resources/hooks/index.ts";
import type { Live } from "../../resources/live/index.ts";
import type { ScheduledJobs } from "../../resources/scheduled-jobs.ts";
import type { Log } from "../../telemetry/log.ts";
import { effectiveAllowances } from "../delivery.ts";
import type { Shared } from "./shared.ts";

/** Updates the scheduled jobs of models that have come or gone. */
export function followModels(scheduledJobs: ScheduledJobs, log: Log) {
  return (names: readonly string[]) => scheduledJobs.follow(names).catch(logJobs(log, names));
}

/** The change of the models is committed; the next start repeats what fails here. */
export function logJobs(log: Log, names: readonly string[]) {
  return (error: unknown) => log.error("scheduled jobs not updated", { names, error });
}

/** Reads the time zone and the links of texts for people. */
export function textsOf({ current, externalUrl: own }: Pick<Shared, "current" | "externalUrl">) {
  return () => {
    const { timezone, externalUrl, ui: hasDashboard } = current.value;
    return { timezone, externalUrl: own.valueBeside(externalUrl), hasDashboard };
  };
}

export function createHooks({ onEvents, ...shared }: Shared): Hooks {
  const allowed = effectiveAllowances(shared.current);
  return new Hooks({ ...shared, allowed, texts: textsOf(shared), wake: onEvents });
}

/** Calendars, and the readings of their addresses. */
export function createCalendars({ store, clock, binMs, log, current, ownership, activity, meter }: Shared) {
  const allowed = effectiveAllowances(current);
  const calendarRefresh = new CalendarRefresh({
    store,
    ownership,
    clock,
    download: ({ etag, lastModified, ...source }, signal) =>
      download(
        { ...source, software: "calendar", known: { etag, lastModified }, publicOnly: !allowed.allowPrivate },
        signal,
      ),
    onError: (error) => log.error("calendars not refreshed", { error }),
    onFailure: (failure) => {
      meter.onCalendarFailure();
      activity.onCalendarFailure(failure);
    },
    onBack: activity.onCalendarBack,
  });
  const timezone = () => current.value.timezone;
  const deps = { store, clock, binMs, timezone, allowed, refresh: calendarRefresh };
  return { calendars: new Calendars(deps), calendarRefresh };
}

/** The bin, and what goes on with restored resources. */
export function createBin(
  shared: Shared,
  {
    live,
    scheduledJobs,
    calendarRefresh,
  }: {
    readonly live: Live;
    readonly scheduledJobs: ScheduledJobs;
    readonly calendarRefresh: CalendarRefresh;
  },
): Bin {
  const followJobs = followModels(scheduledJobs, shared.log);
  return new Bin({
    ...shared,
    newId: () => crypto.randomUUID(),
    onRestored: {
      model: async (names) => {
        await live.follow(names);
        await followJobs(names);
      },
      scheduled_job: async (names) => scheduledJobs.resume(names),
      calendar: async () => calendarRefresh.wake(),
    },
  });
}

type Resources = Omit<ApplyDeps, "store" | "clock" | "context" | "allowed">;

export function createApply({ store, clock, current, context, log }: Shared, resources: Resources): Apply {
  return new Apply({
    ...resources,
    store,
    clock,
    context,
    allowed: effectiveAllowances(current),
    onError: (error) => log.error("resource not applied", { error }),
  });
}
