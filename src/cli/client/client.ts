// A small client of the REST interface: typed calls, errors with the server's own words, waiting for jobs.
import { isFinal } from "../../core/job.ts";
import type { Forecast, Job, Prediction } from "./views.ts";

export type { Job, Prediction, Stat } from "./views.ts";

/** Between two looks at a job: short for those that end at once, longer with every look. */
const FIRST_POLL_MS = 10;
const LAST_POLL_MS = 500;
/** The only status without a body. */
const NO_CONTENT = 204;

/** Stands in place of the server's words: every refusal of this server has some. */
export const NO_REASON = "no reason was given: is this a Torus server?";

/** The server refused, or answered with a status that means something else than asked for. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly status: number,
    /** Stable code of the problem, where the server gave one. */
    readonly code?: string,
    /** The server's own words. */
    readonly reason: string = message,
    /** Further fields that break a rule: `path: rule`. */
    readonly further: readonly string[] = [],
    /** Everything the server said of it. */
    readonly problem: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** A job ended without doing its work. */
export class JobError extends Error {
  override readonly name = "JobError";

  constructor(readonly job: Job) {
    super(`${job.type} job ${job.state}: ${job.error ?? "no reason was given"}`);
  }
}

export type Query = Readonly<Record<string, string | number | boolean>>;
type Settings = Readonly<Record<string, unknown>>;

export interface ClientOptions {
  /** As in `http://localhost:8077`. */
  readonly baseUrl: string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Ends every call and every wait. */
  readonly signal?: AbortSignal;
}

export interface CallOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The one status that is right; absent: any 2xx. */
  readonly status?: number;
}

export type Client = ReturnType<typeof createClient>;

/** A client of the server at `baseUrl`. Every call rejects with ApiError where the server refuses. */
export function createClient(options: ClientOptions) {
  const call = <T>(line: string, rest?: CallOptions) => send<T>(options, line, rest);

  async function getJob(id: string): Promise<Job> {
    const [job] = await call<Job[]>(`GET ${pathOf("jobs", [id])}`, { status: 200 });
    return job!;
  }

  /** Polls a job to its end. @throws JobError where it failed or was canceled */
  async function waitForJob(id: string, onProgress: (job: Job) => void = () => {}): Promise<Job> {
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, LAST_POLL_MS)) {
      const job = await getJob(id);
      onProgress(job);
      if (job.state === "done") return job;
      if (isFinal(job.state)) throw new JobError(job);
      await options.sleep(pollMs);
    }
  }

  return {
    /** Any call, as in `call("GET /models")`. */
    call,
    /** The same, for an answer that is no JSON or too large to be held. */
    open: (line: string, rest?: CallOptions) => request(options, line, rest),
    getJob,
    waitForJob,
    putBucket: (settings: Settings) => call("POST /buckets", { body: settings, status: 201 }),
    createModel: (settings: Settings) => call("POST /models", { body: settings, status: 201 }),
    /** @returns id of the job that writes */
    write: (name: string, points: readonly object[]) =>
      call<string>(`POST ${pathOf("buckets", [name])}/_write`, { body: points, status: 202 }),
    /** @returns id of the training */
    train: (name: string, query: Query) =>
      call<string>(`POST ${pathOf("models", [name])}/_train`, { query, status: 200 }),
    forecast: (name: string, query: Query) =>
      call<Forecast>(`POST ${pathOf("models", [name])}/_forecast`, { query, status: 200 }),
    evaluate: (name: string, query: Query) =>
      call<Prediction>(`POST ${pathOf("models", [name])}/_eval`, { query, status: 200 }),
  };
}

/** Path of the resources of these names: each escaped, separated by `;`. */
export function pathOf(noun: string, names: readonly string[]): string {
  return `/${noun}/${names.map(encodeURIComponent).join(";")}`;
}

/** Share of the work a job has done, 0..1; undefined where it is unknown. */
export function shareOf({
  state,
  duration,
  remaining_time,
  progress,
}: Pick<Job, "state" | "duration" | "remaining_time" | "progress">): number | undefined {
  if (state === "done") return 1;
  if (remaining_time !== undefined && duration > 0) return duration / (duration + remaining_time);
  return progress?.eval !== undefined && progress.max_evals ? progress.eval / progress.max_evals : undefined;
}

async function send<T>(options: ClientOptions, line: string, call?: CallOptions): Promise<T> {
  const response = await request(options, line, call);
  const text = await response.text();
  return (response.status === NO_CONTENT ? undefined : parseJson(line, text)) as T;
}

/** @returns the answer as it comes in. @throws ApiError where the server refuses */
async function request(options: ClientOptions, line: string, call: CallOptions = {}): Promise<Response> {
  const { baseUrl, fetch = globalThis.fetch, signal } = options;
  const [method = "GET", path = "/"] = line.split(" ");
  const query = new URLSearchParams(
    Object.entries(call.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
  const response = await fetch(baseUrl.replace(/\/+$/, "") + path + (query && `?${query}`), {
    method,
    ...(signal && { signal }),
    ...(call.body !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(call.body),
    }),
  });
  const right = call.status === undefined ? response.ok : response.status === call.status;
  if (!right) throw toApiError(line, response, await response.text());
  return response;
}

function parseJson(line: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(`${line}: the answer is not JSON: is this a Torus server?`, 200);
  }
}

function toApiError(line: string, { status }: Response, text: string): ApiError {
  let problem: Record<string, unknown> = {};
  try {
    problem = Object(JSON.parse(text));
  } catch {
    // Not from this server: the status is all there is.
  }
  const reason = typeof problem.error === "string" ? problem.error : NO_REASON;
  const code = typeof problem.code === "string" ? problem.code : undefined;
  const further = readFurther(problem.errors);
  return new ApiError(`${line}: ${status}: ${reason}`, status, code, reason, further, problem);
}

function readFurther(errors: unknown): string[] {
  if (!Array.isArray(errors)) return [];
  return errors.slice(1).map((error) => `${Object(error).path}: ${Object(error).message}`);
}
