// Client of the API: requests relative to the page, answers as JSON, refusals as `Problem`.
import type { ProblemView } from "../../api/problem.ts";

/** What is wrong at a place of the body, such as `features.0.metric`. */
export type FieldProblem = NonNullable<ProblemView["errors"]>[number];

/** A refusal of the server, or no answer at all (status 0). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds to wait before another attempt; absent: any time. */
    readonly retryAfter?: number,
    /** Places of the body that are wrong. */
    readonly errors: readonly FieldProblem[] = [],
  ) {
    super(message);
  }
}

export interface ClientOptions {
  /** Base of the paths, without a slash at the end. */
  readonly base: string;
  readonly token: () => string | undefined;
  /** Called for every answer: whether the server was reached, whether it accepts the token sent, and its clock. */
  readonly onAnswer: (status: number, headers?: Headers, sentToken?: string) => void;
  /** A refusal in the language of the page. */
  readonly tell: (code: string, message: string) => string;
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly body?: unknown;
  /** Media type of a body that is a text; default: the body as JSON. */
  readonly type?: string;
  /** Entity tag that the resource must still have. */
  readonly ifMatch?: string;
  /** Called with the entity tag of the answer. */
  readonly onTag?: (etag: string) => void;
  /** Called with the headers of the answer. */
  readonly onHeaders?: (headers: Headers) => void;
  readonly signal?: AbortSignal;
  /** Form of the answer; default: `json`. */
  readonly as?: "json" | "blob";
  /** Media type that is asked for. */
  readonly accept?: string;
}

export type Client = <T>(path: string, options?: RequestOptions) => Promise<T>;

/** @returns a function that sends a request; it throws `Problem`, or the reason of an aborted signal */
export function createClient({ base, token, onAnswer, tell, fetch: send = fetch }: ClientOptions): Client {
  return async <T>(
    path: string,
    {
      method = "GET",
      body,
      type,
      ifMatch,
      onTag,
      onHeaders,
      signal,
      as = "json",
      accept,
    }: RequestOptions = {},
  ) => {
    const known = token();
    const headers: Record<string, string> = {
      ...(known !== undefined && { authorization: `Bearer ${known}` }),
      ...(body !== undefined && { "content-type": type ?? "application/json" }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
      ...(accept !== undefined && { accept }),
    };
    let response: Response;
    try {
      response = await send(`${base}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: type ? (body as string) : JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      onAnswer(0);
      throw new Problem(0, "unreachable", "");
    }
    onAnswer(response.status, response.headers, known);
    if (!response.ok) throw await readProblem(response, tell);
    const etag = response.headers.get("etag");
    if (etag !== null) onTag?.(etag);
    onHeaders?.(response.headers);
    if (response.status === 204) return undefined as T;
    return (await response[as]()) as T;
  };
}

/** Answers of others, such as proxies, may lack any of it. */
type ProblemBody = Partial<ProblemView>;

/** The list of the answer; of a single error its place, without that place in the sentence. */
function errorsOf(detail = "", { path, errors }: ProblemBody): readonly FieldProblem[] {
  if (errors) return errors;
  return path ? [{ path, message: detail.replace(`${path}: `, "") }] : [];
}

async function readProblem(response: Response, tell: ClientOptions["tell"]): Promise<Problem> {
  const { status, headers } = response;
  const wait = Number(headers.get("retry-after") ?? Number.NaN);
  const seconds = Number.isFinite(wait) ? wait : undefined;
  try {
    const { code = "unknown", detail, error, ...more } = (await response.json()) as ProblemBody;
    return new Problem(status, code, tell(code, detail ?? error ?? ""), seconds, errorsOf(detail, more));
  } catch {
    return new Problem(status, "unknown", `${status} ${response.statusText}`, seconds);
  }
}
