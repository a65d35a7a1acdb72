// Cron schedules: validation and next slot, in any time zone; pure.
import { Cron, CronPattern } from "croner";
import { invalid } from "../errors.ts";

/** Minute to weekday, or second to weekday; without a year, so that there always is a next slot. */
const mode = "5-or-6-parts";
const rule = "must be a cron text of five or six fields, as in 0 3 * * *";

/** @throws TorusError `invalid` for a malformed schedule, or one of a date that does not exist */
export function checkCron(text: string, path: string): void {
  try {
    new CronPattern(text, undefined, { mode });
  } catch {
    throw invalid(path, rule);
  }
  if (!findNext(text, 0, "UTC")) throw invalid(path, "must name a time that comes, not 30 February");
}

/**
 * The first slot after an instant.
 * @param afterAt ms since the epoch, exclusive
 * @param timezone IANA name
 */
export function nextCron(text: string, afterAt: number, timezone: string): number {
  const next = findNext(text, afterAt, timezone);
  if (!next) throw new Error("a cron text without a next slot");
  return next.getTime();
}

function findNext(text: string, afterAt: number, timezone: string): Date | null {
  return new Cron(text, { mode, timezone, paused: true }).nextRun(new Date(afterAt));
}
