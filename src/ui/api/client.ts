// Client of the API: requests relative to the page, answers as JSON, refusals as `Problem`.

/** A refusal of the server, or no answer at all (status 0). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds to wait before another attempt; absent: any time. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

export interface ClientOptions {
  /** Base of the paths, without a slash at the end. */
  readonly base: string;
  readonly token: () => string | undefined;
  /** Called for every answer: whether the server was reached, and whether it accepts the token. */
  readonly onAnswer: (status: number) => void;
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export type Client = <T>(path: string, options?: RequestOptions) => Promise<T>;

/** @returns a function that sends a request; it throws `Problem`, or the reason of an aborted signal */
export function createClient({ base, token, onAnswer, fetch: send = fetch }: ClientOptions): Client {
  return async <T>(path: string, { method = "GET", body, signal }: RequestOptions = {}) => {
    const known = token();
    const headers: Record<string, string> = {
      ...(known !== undefined && { authorization: `Bearer ${known}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    let response: Response;
    try {
      response = await send(`${base}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      onAnswer(0);
      throw new Problem(0, "unreachable", "");
    }
    onAnswer(response.status);
    if (!response.ok) throw await readProblem(response);
    return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
  };
}

async function readProblem(response: Response): Promise<Problem> {
  const { status, headers } = response;
  const wait = Number(headers.get("retry-after") ?? Number.NaN);
  const seconds = Number.isFinite(wait) ? wait : undefined;
  try {
    const { code, detail, error } = (await response.json()) as Record<string, string>;
    return new Problem(status, code ?? "unknown", detail ?? error ?? "", seconds);
  } catch {
    return new Problem(status, "unknown", `${status} ${response.statusText}`, seconds);
  }
}
