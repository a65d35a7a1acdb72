// REST client: typed calls, errors with the server's message, polling of jobs.
import { isFinal } from "../../core/job.ts";
import type { Forecast, Job, Prediction } from "./views.ts";

export type { Job, Prediction, Stat } from "./views.ts";

/** Poll interval of a job: short at first, growing with every poll. */
const FIRST_POLL_MS = 10;
const LAST_POLL_MS = 500;
/** The only status without a body. */
const NO_CONTENT = 204;

/** Stands in for a missing error message: every error of a Torus server has one. */
export const MISSING_MESSAGE = "no reason was given: is this a Torus server?";

/** The server answered with an error, or with a status other than the expected one. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly status: number,
    /** Stable error code, if the server sent one. */
    readonly code?: string,
    /** Message of the server. */
    readonly reason: string = message,
    /** Further invalid fields: `path: rule`. */
    readonly further: readonly string[] = [],
    /** The whole problem document. */
    readonly problem: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** A job failed or was canceled. */
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
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Aborts calls and waits. */
  readonly signal?: AbortSignal;
  /** Gets what the server advises on a request that succeeded. */
  readonly onAdvice?: (text: string) => void;
}

export interface CallOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The expected status; absent: any 2xx. */
  readonly status?: number;
}

export type Client = ReturnType<typeof createClient>;

/** A client of the server at `baseUrl`. Calls reject with ApiError if the server answers with an error. */
export function createClient(options: ClientOptions) {
  const call = <T>(line: string, rest?: CallOptions) => send<T>(options, line, rest);

  async function getJob(id: string): Promise<Job> {
    const [job] = await call<Job[]>(`GET ${pathOf("jobs", [id])}`, { status: 200 });
    return job!;
  }

  /** Polls a job until it ends. @throws JobError if it failed or was canceled */
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
    /** Any request, as in `call("GET /models")`. */
    call,
    /** The same; undefined where the server answers 404. */
    find: <T>(line: string) => call<T>(line).catch(undefinedIfMissing),
    /** As `call`, for answers other than JSON and for streams. */
    open: (line: string, rest?: CallOptions) => request(options, line, rest),
    getJob,
    waitForJob,
    putBucket: (settings: Settings) => call("POST /buckets", { body: settings, status: 201 }),
    createModel: (settings: Settings) => call("POST /models", { body: settings, status: 201 }),
    /** @returns id of the write job */
    write: (name: string, points: readonly object[]) =>
      call<string>(`POST ${pathOf("buckets", [name])}/_write`, { body: points, status: 202 }),
    /** @returns id of the training job */
    train: (name: string, query: Query) =>
      call<string>(`POST ${pathOf("models", [name])}/_train`, { query, status: 200 }),
    forecast: (name: string, query: Query) =>
      call<Forecast>(`POST ${pathOf("models", [name])}/_forecast`, { query, status: 200 }),
    evaluate: (name: string, query: Query) =>
      call<Prediction>(`POST ${pathOf("models", [name])}/_eval`, { query, status: 200 }),
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined;
  throw error;
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

/** @returns the answer, its body unread. @throws ApiError */
async function request(options: ClientOptions, line: string, call: CallOptions = {}): Promise<Response> {
  const { baseUrl, fetch = globalThis.fetch, signal, onAdvice } = options;
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
  const advice = response.headers.get("x-torus-advice");
  if (advice !== null) onAdvice?.(advice);
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
    // The body is not JSON: only the status is known.
  }
  const reason = typeof problem.error === "string" ? problem.error : MISSING_MESSAGE;
  const code = typeof problem.code === "string" ? problem.code : undefined;
  const further = readFurtherErrors(problem.errors);
  return new ApiError(`${line}: ${status}: ${reason}`, status, code, reason, further, problem);
}

function readFurtherErrors(errors: unknown): string[] {
  if (!Array.isArray(errors)) return [];
  return errors.slice(1).map((error) => `${Object(error).path}: ${Object(error).message}`);
}
