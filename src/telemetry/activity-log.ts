// Activity log: anomalies, ended jobs, what fails and is back; one line per change of state.
import type { DeliveryFailure } from "../delivery/deliver.ts";
import type { JobEnd } from "../jobs/queue/run.ts";
import type { BucketChange } from "../live/bucket-watch.ts";
import type { EpisodeNotice } from "../live/episodes/episode-tracker.ts";
import type { CalendarFailure } from "../resources/calendars/refresh.ts";
import type { RefusedMessage, SubscriptionChange } from "../resources/receivers/subscriptions.ts";
import type { ScheduledRun } from "../scheduler/timetable.ts";
import type { Log } from "./log.ts";

const seconds = (ms: number): number => Math.round(ms) / 1000;
const round = (score: number): number => Math.round(score * 10) / 10;

/** @returns one handler per kind of activity */
export function createActivityLog(log: Log) {
  return {
    onEpisode({ change, model, id, score, features, durationMs, closedBy }: EpisodeNotice): void {
      log.info(`anomaly ${change}`, {
        model,
        anomaly: id,
        score: round(score),
        features: Object.keys(features),
        ...(durationMs !== undefined && { duration: seconds(durationMs) }),
        ...(closedBy !== undefined && { closed_by: closedBy }),
      });
    },
    onJobEnd({ id, type, model, state, durationMs, error }: JobEnd): void {
      const what = type === "training" ? "training" : "job";
      const fields = { model, job_id: id, ...(what === "job" && { type }), duration: seconds(durationMs) };
      if (state === "failed")
        log.warn(`${what} failed`, { ...fields, code: error?.code, reason: error?.message });
      else if (state === "done" && what === "training") log.info("training done", fields);
    },
    onBucketChange(change: BucketChange): void {
      if (change.state === "back")
        log.info("bucket back", { bucket: change.bucket, duration: seconds(change.durationMs) });
      else {
        const { bucket, model, code, reason } = change;
        log.warn("bucket failing", { bucket, model, code, reason });
      }
    },
    onCalendarFailure({ calendar, reason, isNew }: CalendarFailure): void {
      if (isNew) log.warn("calendar failing", { calendar, reason });
    },
    onCalendarBack(calendar: string): void {
      log.info("calendar back", { calendar });
    },
    onScheduledRun({ job, status, error, code, wasFailing }: ScheduledRun): void {
      if (error !== null && !wasFailing)
        log.warn("scheduled job failing", { scheduled_job: job, status, code, reason: error });
      else if (error === null && wasFailing) log.info("scheduled job back", { scheduled_job: job });
    },
    onSubscriptionChange({ state, ...fields }: SubscriptionChange): void {
      if (state === "back") log.info("subscription back", fields);
      else log.warn("subscription failing", fields);
    },
    onRefusedMessage(message: RefusedMessage): void {
      log.warn("message refused", { ...message });
    },
    onDeliveryFailure(trouble: DeliveryFailure): void {
      log.warn("hook not notified", { ...trouble });
    },
  };
}
