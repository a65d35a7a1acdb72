// False alarms of live detection: the expected rate beside the rate of the anomalies of the last weeks.
import type { FalseAlarmsView } from "../../api/false-alarms.ts";
import { WEEK_MS } from "../../core/time/time.ts";
import type { StoredSettings } from "../../live/stored-settings.ts";
import { falseAlarmsOf } from "../../models/scoring/detect.ts";
import { listRaised } from "../../store/anomalies/raised.ts";
import type { Store } from "../../store/db/open.ts";

/** Of live detection, before which a rate a week says little. */
const LEAST_MS = 2 * WEEK_MS;
const MOST_MS = 4 * WEEK_MS;
/** Beyond, the rate is that of the newest ones, in the time since the first of them. */
const MAX_RAISED = 1000;

interface Watched {
  readonly model: string;
  /** Since when live detection sees it, and the end of the last window, ms since the epoch. */
  readonly sinceAt: number;
  readonly untilAt: number;
  /** Absent: of the model. */
  readonly series?: Readonly<Record<string, string>>;
  /** Series of a fleet that are scored; 1 of a model or a series. */
  readonly count: number;
}

/** @returns undefined before two weeks of live detection */
export async function readFalseAlarms(
  store: Store,
  { model, sinceAt, untilAt, series, count }: Watched,
  { settings, rules }: Pick<StoredSettings, "settings" | "rules">,
): Promise<FalseAlarmsView | undefined> {
  if (untilAt - sinceAt < LEAST_MS) return undefined;
  const range = { fromAt: Math.max(sinceAt, untilAt - MOST_MS), toAt: untilAt };
  const raised = await listRaised(store, { model, ...range, series, limit: MAX_RAISED });
  const fromAt = raised.length < MAX_RAISED ? range.fromAt : raised.at(-1)!.startAt;
  const weeks = Math.max(untilAt - fromAt, 1) / WEEK_MS;
  const rate = (n: number) => round(n / weeks);
  const judged = (anomaly: boolean) => raised.filter(({ feedback }) => feedback?.anomaly === anomaly).length;
  return {
    asked: round(count * falseAlarmsOf(settings, rules.max)),
    seen: rate(raised.length),
    judged_true: rate(judged(true)),
    judged_false: rate(judged(false)),
    weeks: round(weeks),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
