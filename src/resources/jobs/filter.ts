// Filters of the list of jobs: state, type, model and start.
import { invalid } from "../../core/errors.ts";
import { jobStates, jobTypes } from "../../core/job.ts";
import { parseDate } from "../../core/time/time.ts";
import type { JobFilter } from "../../store/jobs/rows.ts";
import { given, type Params } from "../shared/range.ts";

/** As in a path. */
const MAX_NAMES = 1000;

/** Reads `state`, `type`, `model` (names separated by `;`) and `since` (a date). @throws TorusError `invalid` */
export function parseJobFilter(params: Params, nowAt: number): JobFilter {
  const states = parseWords(params, "state", jobStates);
  const types = parseWords(params, "type", jobTypes);
  const models = splitWords(params, "model");
  const since = given(params, "since");
  return {
    ...(states && { states }),
    ...(types && { types }),
    ...(models && { models }),
    ...(since !== undefined && { sinceAt: parseDate(since, nowAt, "since") }),
  };
}

/** One or several known words, separated by `;`. @throws TorusError `invalid` listing the known ones */
function parseWords<T extends string>(params: Params, key: string, known: readonly T[]): T[] | undefined {
  const words = splitWords(params, key);
  if (!words?.every((word): word is T => (known as readonly string[]).includes(word))) {
    if (words) throw invalid(key, `must be one of ${known.join(", ")}, or several separated by ;`);
    return undefined;
  }
  return words;
}

function splitWords(params: Params, key: string): string[] | undefined {
  const value = given(params, key);
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw invalid(key, "must be a text");
  const words = [...new Set(value.split(";").filter((word) => word !== ""))];
  if (words.length === 0) return undefined;
  if (words.length > MAX_NAMES) throw invalid(key, `must be at most ${MAX_NAMES} names`);
  return words;
}
