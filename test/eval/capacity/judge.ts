// Judgement of dates of a limit, and of alarms by `predict_linear` on the same values.
import { findOutlook, type Outlook } from "../../../src/core/capacity/outlook.ts";
import { finish } from "../../../src/core/steps.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time/time.ts";
import type { Composition } from "./compositions.ts";
import { type Fill, LIMIT } from "./fills.ts";

/** Share of the lead that a date may be off by, and at least an interval. */
const TOLERANCE = 0.2;
/** What an alarm announces: the limit within this time. */
const AHEAD_MS = 2 * DAY_MS;
/** An alarm is false if the limit is not reached within this many times the announced time. */
const GRACE = 1.25;
/** Instants of a fill at which alarms are judged. */
const INSTANTS = 20;
/** Windows of the peer. */
export const windows = { "1 h": HOUR_MS, "6 h": 6 * HOUR_MS } as const;
type Window = keyof typeof windows;

export interface Verdict<Of = Fill> {
  readonly fill: Of;
  /** Whether a date was named. */
  readonly isNamed: boolean;
  /** Within the tolerance; of a flat one: none was named. */
  readonly isRight: boolean;
  /** Whether the band holds the truth; undefined without a date. */
  readonly isHeld?: boolean;
}

export const judgeFill = (fill: Fill): Verdict => judgeDate(fill, outlookOf(fill, fill.column.length));

export function judgeComposition(fill: Composition): Verdict<Composition> {
  const { column, intervalMs, limit } = fill;
  return judgeDate(fill, outlookIn({ column, perDay: DAY_MS / intervalMs }, limit));
}

function judgeDate<Of extends Pick<Fill, "lead">>(fill: Of, outlook: Outlook | undefined): Verdict<Of> {
  const { lead } = fill;
  const isNamed = outlook !== undefined;
  if (lead === undefined) return { fill, isNamed, isRight: !isNamed };
  if (!outlook) return { fill, isNamed, isRight: false };
  const { expected, earliest, latest = Number.POSITIVE_INFINITY } = outlook;
  const isRight = Math.abs(expected - lead) <= Math.max(1, TOLERANCE * lead);
  // The truth is known to an interval.
  return { fill, isNamed, isRight, isHeld: earliest <= lead + 0.5 && latest >= lead - 0.5 };
}

/** The outlook by the first values; undefined: no date. */
function outlookOf({ whole, intervalMs }: Fill, length: number): Outlook | undefined {
  const series = { column: whole.subarray(0, length), perDay: DAY_MS / intervalMs };
  return outlookIn(series, { type: "high", value: LIMIT });
}

function outlookIn(...asked: Parameters<typeof findOutlook>): Outlook | undefined {
  const outlook = finish(findOutlook(...asked));
  return outlook?.isPredictable ? outlook : undefined;
}

/** Alarms that the limit is reached soon, at instants over a fill. */
export interface Alarms {
  /** Instants at which the limit is reached within the announced time, and those with an alarm. */
  readonly due: number;
  readonly found: number;
  readonly false: number;
}

type AlarmsBy = Readonly<Record<Window | "capacity", Alarms>>;

export function judgeAlarms(fill: Fill): AlarmsBy {
  const { whole, intervalMs } = fill;
  const ahead = AHEAD_MS / intervalMs;
  const instants = Array.from({ length: INSTANTS }, (_, k) =>
    Math.floor(whole.length * (0.5 + (0.5 * k) / INSTANTS)),
  );
  const due = instants.filter((at) => isReached(fill, at, ahead));
  const count = (isRaised: (at: number) => boolean): Alarms => {
    const raised = new Set(instants.filter(isRaised));
    const isFalse = (at: number) => !isReached(fill, at, GRACE * ahead);
    const found = due.filter((at) => raised.has(at)).length;
    return { due: due.length, found, false: [...raised].filter(isFalse).length };
  };
  const peer = (window: Window) => count((at) => predictLinear(fill, { at, window, ahead }) >= LIMIT);
  return {
    capacity: count((at) => (outlookOf(fill, at)?.expected ?? Number.POSITIVE_INFINITY) <= ahead),
    "1 h": peer("1 h"),
    "6 h": peer("6 h"),
  };
}

function isReached({ truth }: Fill, from: number, within: number): boolean {
  for (let i = 0; i <= within; i++) if (truth(from + i) >= LIMIT) return true;
  return false;
}

interface Line {
  readonly at: number;
  readonly window: Window;
  /** Intervals. */
  readonly ahead: number;
}

/** Least squares over the window, as `predict_linear` of Prometheus; NaN of fewer than two values. */
function predictLinear({ whole, intervalMs }: Fill, { at, window, ahead }: Line): number {
  const from = Math.max(0, at - Math.floor(windows[window] / intervalMs));
  const values = whole.subarray(from, at);
  if (values.length < 2) return Number.NaN;
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const product = values.reduce((sum, value, i) => sum + (i - middle) * value, 0);
  const square = values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
  return mean + (product / square) * (values.length - 1 - middle + ahead);
}
