// API view of changes.
import type { ServerEventView } from "../../api/event.ts";
import type { Change } from "../../core/change.ts";
import { viewReport } from "../../jobs/view.ts";

/** Event and data of a change, times in seconds. */
export function viewChange(change: Change): Pick<ServerEventView, "event" | "data"> {
  switch (change.type) {
    case "model":
      return { event: "model", data: { model: change.model, change: change.step } };
    case "live": {
      const { model, windowAt, outcome, score } = change;
      return { event: "live", data: { model, window: windowAt / 1000, outcome, score } };
    }
    case "job": {
      const { id, job, model, state, progress, remainingMs } = change;
      const report = progress && viewReport({ progress, ...(remainingMs !== undefined && { remainingMs }) });
      return { event: "job", data: { id, type: job, model, state, ...report } };
    }
    case "calendar": {
      const { calendar, step, error } = change;
      const data = { calendar, change: step, ...(error !== undefined && { error }) };
      return { event: "calendar", data };
    }
    case "bucket": {
      const { bucket, step, error } = change;
      return { event: "bucket", data: { bucket, change: step, ...(error !== undefined && { error }) } };
    }
    case "delivery": {
      const { id, model, hook, isGlobal, step, error } = change;
      const place = { model, hook, ...(isGlobal && { global: true as const }) };
      const data = { id, ...place, change: step, ...(error !== undefined && { error }) };
      return { event: "delivery", data };
    }
    case "anomaly":
      return { event: "anomaly", data: viewAnomaly(change) };
  }
}

function viewAnomaly({
  model,
  id,
  step,
  startAt,
  endAt,
  peakScore,
  severity,
  anomaly,
}: Extract<Change, { type: "anomaly" }>) {
  return {
    model,
    id,
    change: step,
    ...(startAt !== undefined && { start: startAt / 1000 }),
    ...(endAt !== undefined && { end: endAt / 1000 }),
    ...(peakScore !== undefined && { peak_score: peakScore }),
    ...(severity && { severity }),
    ...(anomaly !== undefined && { anomaly }),
  };
}
