// Formats times in the zone of the command line: UTC unless --tz, --local or TORUS_TZ choose another.
import { invalid } from "../../core/errors.ts";
import { offsetsOf } from "../../core/time/timezone.ts";

export interface Times {
  /** Name for titles: `UTC`, `Europe/Berlin`. */
  readonly zone: string;
  /** Whether a zone was chosen explicitly. */
  readonly isChosen: boolean;
  /** `2026-01-31 12:00:00` for seconds since the epoch, with ms if not 0; `-` for a missing value. */
  readonly format: (seconds: number | null | undefined) => string;
  /** `2026-01-31T13:00:00+01:00`, for programs; empty for a missing value. */
  readonly iso: (seconds: number | null | undefined) => string;
  /** UTC offset in seconds at an instant in seconds. */
  readonly offsetAt: (seconds: number) => number;
}

interface ZoneChoice {
  readonly tz?: string | undefined;
  readonly local?: boolean;
}

/** @throws TorusError `invalid` for an unknown zone, and for `--tz` with `--local` */
export function createTimes(
  { tz, local }: ZoneChoice,
  env: Readonly<Record<string, string | undefined>>,
): Times {
  if (tz !== undefined && local) throw invalid("--local", "cannot be combined with --tz");
  const [chosen, source] = tz === undefined ? [env.TORUS_TZ || undefined, "TORUS_TZ"] : [tz, "--tz"];
  if (local) return timesIn(Intl.DateTimeFormat().resolvedOptions().timeZone, true);
  return timesIn(chosen === undefined ? "UTC" : checkZone(chosen, source), chosen !== undefined);
}

function checkZone(zone: string, path: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone && zone;
  } catch {
    throw invalid(path, `${zone} is unknown: name a time zone, as in Europe/Berlin, or UTC`);
  }
}

/** @param zone valid IANA name */
export function timesIn(zone: string, isChosen = false): Times {
  const offsets = offsetsOf(zone);
  const offsetAt = (seconds: number) => (offsets?.(seconds * 1000) ?? 0) / 1000;
  const localText = (seconds: number) => {
    const text = new Date(Math.round((seconds + offsetAt(seconds)) * 1000)).toISOString().slice(0, -1);
    return text.endsWith(".000") ? text.slice(0, -4) : text;
  };
  return {
    zone: offsets ? zone : "UTC",
    isChosen,
    offsetAt,
    format: (seconds) => (typeof seconds === "number" ? localText(seconds).replace("T", " ") : "-"),
    iso: (seconds) =>
      typeof seconds === "number" ? `${localText(seconds)}${formatOffset(offsetAt(seconds))}` : "",
  };
}

function formatOffset(seconds: number): string {
  if (seconds === 0) return "Z";
  const minutes = Math.abs(Math.round(seconds / 60));
  const pad = (count: number) => String(count).padStart(2, "0");
  return `${seconds < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** Keys of the API whose numeric values are instants. */
const instantKey = /(^|_)(timestamp|start|started|end|since|window|from|to)$/;
/** Smaller numbers are durations and counts, not instants (March 1973). */
const EARLIEST = 1e8;

/** A copy of an answer with instants as ISO 8601 with offset. */
export function withLocalTimes(value: unknown, times: Times): unknown {
  if (Array.isArray(value)) return value.map((item) => withLocalTimes(item, times));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) =>
    typeof item === "number" && item >= EARLIEST && instantKey.test(key)
      ? [key, times.iso(item)]
      : [key, withLocalTimes(item, times)],
  );
  return Object.fromEntries(entries);
}
