// Cron schedules: validation and next slot, in any time zone; pure.
import { Cron, CronPattern } from "croner";
import { invalid } from "../errors.ts";

/** Minute to weekday, or second to weekday; without a year, so that there always is a next slot. */
const mode = "5-or-6-parts";
const rule = "must be a cron text of five or six fields, as in 0 3 * * *";

/** Fields of six, with their values. */
const fields = [
  ["a second", "0 to 59"],
  ["a minute", "0 to 59"],
  ["an hour", "0 to 23"],
  ["a day", "1 to 31, or L"],
  ["a month", "1 to 12, or JAN to DEC"],
  ["a weekday", "0 to 7, or SUN to SAT"],
] as const;

/** @throws TorusError `invalid` for a malformed schedule, naming its field, or one of a date that does not exist */
export function checkCron(text: string, path: string): void {
  if (!isPattern(text)) throw invalid(path, explain(text) ?? rule);
  if (!findNext(text, 0, "UTC"))
    throw invalid(path, "must name a day that there is, unlike 30 February or 31 April");
}

function isPattern(text: string): boolean {
  try {
    new CronPattern(text, undefined, { mode });
    return true;
  } catch {
    return false;
  }
}

/** The first field that is wrong by itself. */
function explain(text: string): string | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length < 5 || parts.length > 6) return undefined;
  const first = fields.length - parts.length;
  const wrong = parts.findIndex(
    (part, i) => !isPattern(parts.map((_, j) => (j === i ? part : "*")).join(" ")),
  );
  const found = fields[first + wrong];
  if (wrong < 0 || !found) return undefined;
  const [name, values] = found;
  return `has ${name} that cannot be: it is ${values}, *, a list, a range that rises, as in 1-5, or a step, as in */2`;
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
