// Sentences on a live model beside its anomalies: silence, bounds ahead, a changed series; pure.
import type { LiveStateView } from "../../api/live.ts";
import type { Texts } from "../texts/en.ts";
import { formatSpan, type Moments, type Numbers } from "./format.ts";

interface Words {
  readonly texts: Pick<Texts, "standing" | "problem">;
  readonly moments: Pick<Moments, "moment">;
  readonly numbers: Pick<Numbers, "one">;
  /** By feature. */
  readonly units: Readonly<Record<string, string>> | undefined;
  /** Seconds since the epoch. */
  readonly now: number;
}

export interface Standing {
  readonly text: string;
  /** Whether it lasts now; bounds that are further ahead than their watch announces do not. */
  readonly isActive: boolean;
}

type WatchedForecast = NonNullable<LiveStateView["forecasts"]>[number];

/** Of a live model, or of a series of one. */
export type Announced = Pick<LiveStateView, "silence" | "forecasts" | "drift">;

export function standingOf({ silence, forecasts = [], drift }: Announced, words: Words): Standing[] {
  const { noPoints, changed } = words.texts.standing;
  const { moments, now } = words;
  return [
    ...(silence ? [{ text: noPoints(moments.moment(silence.since, now)), isActive: true }] : []),
    ...forecasts.flatMap((forecast) => describeForecast(forecast, words)),
    ...(drift ? [{ text: changed(drift.feature), isActive: true }] : []),
  ];
}

/** `used above 95 in 5 d 4 h, 27 Nov 2026, 10:00; 3 d 21 h to 8 d`; nothing without a breach. */
export function describeForecast(forecast: WatchedForecast, words: Words): Standing[] {
  const { texts, moments, numbers, units, now } = words;
  const { feature, type, threshold, first, earliest, latest, active, error, code = "" } = forecast;
  const { above, below, failed, between, earliestIn } = texts.standing;
  if (error !== undefined) return [{ text: failed(feature, texts.problem(code, error)), isActive: false }];
  if (first === undefined) return [];
  const spanTo = (at: number) => formatSpan((at - now) * 1000);
  const what = (type === "high" ? above : below)(feature, numbers.one(threshold, units?.[feature]));
  const band =
    earliest === undefined
      ? ""
      : latest === undefined
        ? earliestIn(spanTo(earliest))
        : between(spanTo(earliest), spanTo(latest));
  return [
    {
      text: `${what} ${texts.standing.when(spanTo(first), moments.moment(first, now))}${band}`,
      isActive: active,
    },
  ];
}
