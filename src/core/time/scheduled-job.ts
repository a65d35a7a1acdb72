// Scheduled jobs: requests that the server sends to itself on a schedule; validation and next run.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { withoutKeys } from "../input/json.ts";
import { optional } from "../input/optional.ts";
import { check } from "../input/schema.ts";
import { oneOfWords } from "../input/words.ts";
import { checkCron, nextCron } from "./cron.ts";
import { Every, nextSlot, parseEvery } from "./schedule.ts";
import { parseDate } from "./time.ts";
import { checkTimezone } from "./timezone.ts";

export const MAX_JOB_NAME = 256;
/** Query parameters that are dates. */
export const dateParams = ["from", "to"];
/** Reference time for checks of relative dates; any will do. */
const REFERENCE_AT = Date.UTC(2026, 0, 1);
/** Keys that views add to a definition; ignored, so that clients may send back a view. */
const viewOnly = ["ok", "status_code", "error", "code", "last_run_timestamp", "next_run_timestamp"];
const methods = ["head", "get", "post", "patch", "delete"] as const;
/** Visible characters; clients normalise backslashes and dot segments in a path, so a name must not have them. */
const printable = /^(?!\.{1,2}$|\s*$)[^\p{C}\p{Zl}\p{Zp};/\\]+$/u;
const nameRule = "must be 1 to 256 printable characters without ; / and \\";

/** When a job runs: `unit` with `count` and `at`, or `cron`, in a time zone. */
export const JobEvery = Type.Object(
  {
    ...Every.properties,
    unit: Type.Optional(Every.properties.unit),
    cron: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: "Cron text of five or six fields, in place of unit, count and at",
        rule: "must be a cron text, as in 0 3 * * *",
      }),
    ),
    timezone: optional.text("IANA time zone of times of day and of cron; absent: the server's"),
  },
  { additionalProperties: false, description: "When it runs" },
);

export const ScheduledJob = Type.Object(
  {
    name: Type.String({ description: "1 to 256 printable characters without `;` and `/`", rule: nameRule }),
    method: oneOfWords(methods, {
      description: "head, get, post, patch or delete",
      rule: `must be one of ${methods.join(", ")}, in lower case`,
    }),
    relative_url: Type.String({
      maxLength: 8192,
      description: "Path of this service, as in `/models/m/_train`",
      rule: "must be a path of this service, as in /models/m/_train",
    }),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: "Query parameters; relative dates are resolved at each run",
        rule: "must hold texts, numbers and booleans by name",
      }),
    ),
    json: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "Body", rule: "must be a JSON object" }),
    ),
    every: JobEvery,
    enabled: Type.Optional(
      Type.Boolean({
        description: "false: paused, its slots are skipped; `_run` still runs it",
        default: true,
      }),
    ),
  },
  { additionalProperties: false, title: "scheduled job" },
);
export type ScheduledJob = Static<typeof ScheduledJob>;

/**
 * Checks a definition.
 * @param path prefix of the reported path
 * @throws TorusError `invalid` with the path and the rule
 */
export function checkScheduledJob(body: unknown, path = ""): ScheduledJob {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid(path || "body", "must be a JSON object with name, method, relative_url and every");
  const job = check(ScheduledJob, withoutKeys(body, viewOnly), path);
  const within = (key: string) => (path ? `${path}.${key}` : key);
  checkJobName(job.name, within("name"));
  checkRelativeUrl(job.relative_url, within("relative_url"));
  checkParamNames(job.params ?? {}, within("params"));
  checkDates(job.params ?? {}, within("params"));
  checkEvery(job.every, within("every"));
  return job;
}

/** @throws TorusError `invalid` */
export function checkJobName(name: string, path = "name"): void {
  if ([...name].length > MAX_JOB_NAME || !printable.test(name)) throw invalid(path, nameRule);
}

/** Accepts a path of this server only, except scheduled jobs, `_apply` and tokens. */
function checkRelativeUrl(url: string, path: string): void {
  if (!url.startsWith("/") || url.startsWith("//"))
    throw invalid(path, "must start with one /, as in /models/m/_train");
  if (/[\s\p{C}\\]/u.test(url))
    throw invalid(path, "must not hold spaces, control characters or backslashes");
  if (/[?#]/.test(url)) throw invalid(path, "must not hold a query or a fragment; give the query as params");
  const decoded = decodePath(url, path);
  if (/\p{Cc}/u.test(decoded)) throw invalid(path, "must not hold control characters");
  const segments = decoded.split("/").filter(Boolean);
  if (segments.some((segment) => segment === "." || segment === ".."))
    throw invalid(path, "must not hold the segments . and ..");
  if (segments[0]?.toLowerCase() === "scheduled_jobs")
    throw invalid(path, "must not be /scheduled_jobs: a scheduled job may not change scheduled jobs");
  if (segments[0]?.toLowerCase() === "_apply")
    throw invalid(path, "must not be /_apply: a scheduled job may not change scheduled jobs");
  if (segments[0]?.toLowerCase() === "tokens")
    throw invalid(path, "must not be /tokens: a scheduled job may not change who may do what");
}

function decodePath(url: string, path: string): string {
  if (/%(2f|5c|00)/i.test(url)) throw invalid(path, "must not hold an encoded slash, a backslash or NUL");
  try {
    return decodeURIComponent(url);
  } catch {
    throw invalid(path, "must be UTF-8 in percent-encoding");
  }
}

/** TypeBox records skip keys with line breaks. */
function checkParamNames(params: object, path: string): void {
  if (Object.keys(params).some((key) => key === "" || /\p{Cc}/u.test(key)))
    throw invalid(path, "must have names of printable characters");
}

/** Dates are resolved at each run; a malformed one would fail every time. */
function checkDates(params: NonNullable<ScheduledJob["params"]>, path: string): void {
  for (const key of dateParams)
    if (Object.hasOwn(params, key) && params[key] !== "")
      parseDate(params[key], REFERENCE_AT, `${path}.${key}`);
}

/** Checks the order of a range whose ends move alike. @throws TorusError `invalid`: each run would fail */
export function checkRange({ params = {} }: Pick<ScheduledJob, "params">): void {
  const ends = dateParams.map((key) => (Object.hasOwn(params, key) ? params[key] : undefined));
  const isRelative = ends.map((end) => /^now/i.test(String(end)));
  if (ends.some((end) => end === undefined || end === "") || isRelative[0] !== isRelative[1]) return;
  const [fromAt, toAt] = ends.map((end) => parseDate(end, REFERENCE_AT, "params"));
  if (fromAt! > toAt!) throw invalid("params.from", "must not be after to: each run would fail");
}

/** Checks a timetable alone. @throws TorusError `invalid` */
export function checkJobEvery(body: unknown): ScheduledJob["every"] {
  const every = check(JobEvery, body, "every");
  checkEvery(every, "every");
  return every;
}

function checkEvery({ cron, timezone, ...every }: ScheduledJob["every"], path: string): void {
  if (timezone !== undefined) checkTimezone(timezone, `${path}.timezone`);
  if (cron === undefined) {
    parseEvery(withUnit(every, path), path);
    return;
  }
  const [other] = Object.keys(every);
  if (other) throw invalid(`${path}.${other}`, "cannot be given together with cron");
  checkCron(cron, `${path}.cron`);
}

function withUnit(every: Omit<ScheduledJob["every"], "cron" | "timezone">, path: string): Every {
  const { unit } = every;
  if (unit === undefined) throw invalid(`${path}.unit`, "is required, unless there is a cron text");
  return { ...every, unit };
}

/** Whether the job runs in its slots. */
export function isEnabled({ enabled = true }: Pick<ScheduledJob, "enabled">): boolean {
  return enabled;
}

/**
 * The first run of a checked job after an instant.
 * @param afterAt ms since the epoch, exclusive
 * @param timezone IANA name, for a job without one
 */
export function nextRun({ every }: Pick<ScheduledJob, "every">, afterAt: number, timezone: string): number {
  const { cron, timezone: own = timezone, ...plain } = every;
  if (cron !== undefined) return nextCron(cron, afterAt, own);
  return nextSlot(parseEvery(withUnit(plain, "every")), afterAt, own);
}

/** The first `count` runs after an instant, ms since the epoch. */
export function nextRuns(
  job: Pick<ScheduledJob, "every">,
  { afterAt, timezone, count }: { afterAt: number; timezone: string; count: number },
): number[] {
  const runs: number[] = [];
  while (runs.length < count) runs.push(nextRun(job, runs.at(-1) ?? afterAt, timezone));
  return runs;
}
