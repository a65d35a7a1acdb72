// Builds the HTTP request of one run of a scheduled job.
import { dateParams, type ScheduledJob } from "../core/time/scheduled-job.ts";
import { parseDate } from "../core/time/time.ts";

/** Only the path matters: the request never leaves the process. */
const ORIGIN = "http://localhost";

/** @param nowAt origin of relative dates in `from` and `to`, ms since the epoch */
export function makeRequest(job: ScheduledJob, nowAt: number, signal: AbortSignal): Request {
  const { method, relative_url, params = {}, json } = job;
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    query.set(key, dateParams.includes(key) ? resolveDate(value, nowAt) : String(value));
  }
  const suffix = query.size > 0 ? `?${query}` : "";
  const hasBody = json !== undefined && method !== "get" && method !== "head";
  return new Request(`${ORIGIN}${relative_url}${suffix}`, {
    method: method.toUpperCase(),
    signal,
    ...(hasBody && { body: JSON.stringify(json), headers: { "content-type": "application/json" } }),
  });
}

/** Seconds since the epoch for a relative date; the route validates anything else. */
function resolveDate(value: string | number | boolean, nowAt: number): string {
  const text = String(value);
  if (!text.trim().startsWith("now")) return text;
  try {
    return String(Math.floor(parseDate(text, nowAt) / 1000));
  } catch {
    return text;
  }
}
