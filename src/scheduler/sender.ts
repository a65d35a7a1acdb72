// Sends the requests of scheduled jobs; one that the server has no room for is sent again until its next slot.
import { describeError, errorCodes } from "../core/errors.ts";
import { nextRun } from "../core/time/scheduled-job.ts";
import type { Clock } from "../runtime/clock.ts";
import { sleep } from "../runtime/deadline.ts";
import { KeyedLimiter } from "../runtime/keyed-limiter.ts";
import type { Store } from "../store/db/open.ts";
import { findScheduledJob, type ScheduledJobRow } from "../store/scheduled-jobs.ts";
import type { RunOutcome } from "../store/scheduled-runs.ts";
import { makeRequest } from "./request.ts";

/** Requests under way at a time: those of a night that begin together wait for one another. */
const MAX_REQUESTS = 64;
/** Refused requests that are sent again at a time, beside the others. */
const MAX_REFUSED = 8;
const MAX_ERROR_LENGTH = 1000;
/** Problem code of an answer without effect: the queue of jobs is full. */
const NO_ROOM = "overloaded";

export interface SenderDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** IANA time zone of times of day. */
  readonly timezone: string;
  /**
   * Answers a request inside the process, with the rights of the creator of the job.
   * @throws TorusError `forbidden` where the creator has lost them
   */
  readonly dispatch: (request: Request, job: Pick<ScheduledJobRow, "name" | "creator">) => Promise<Response>;
}

interface Answer extends RunOutcome {
  /** ms to wait before the same request; absent: it was accepted, or another attempt would not help. */
  readonly retryMs?: number;
}

export class Sender {
  readonly #requests = new KeyedLimiter(MAX_REQUESTS);
  readonly #refused = new KeyedLimiter(MAX_REFUSED);
  readonly #controller = new AbortController();

  constructor(private readonly deps: SenderDeps) {}

  /**
   * Sends the request of a slot.
   * @param slotAt ms since the epoch
   * @throws the reason of `stop`
   */
  async send(job: ScheduledJobRow, slotAt: number): Promise<RunOutcome> {
    const { signal } = this.#controller;
    const first = await this.#requests.run("", () => this.#request(job), signal);
    if (first.retryMs === undefined) return first;
    return this.#refused.run("", () => this.#repeat(job, { slotAt, first }), signal);
  }

  /** Aborts the requests under way. */
  stop(): void {
    this.#controller.abort();
    this.#requests.clear();
    this.#refused.clear();
  }

  /** Sends again as often as the server asks, until the job would run anyway. */
  async #repeat(
    job: ScheduledJobRow,
    { slotAt, first }: { slotAt: number; first: Answer },
  ): Promise<RunOutcome> {
    const { clock, timezone } = this.deps;
    const nextAt = nextRun(job.definition, slotAt, timezone);
    let answer = first;
    while (answer.retryMs !== undefined && clock.now() + answer.retryMs < nextAt) {
      if (!(await sleep(answer.retryMs, this.#controller.signal, clock)))
        throw this.#controller.signal.reason;
      if (!(await this.#isCurrent(job))) break;
      answer = await this.#request(job);
    }
    return answer;
  }

  /** Whether the job was neither changed, paused nor deleted. */
  async #isCurrent({ name, generation }: ScheduledJobRow): Promise<boolean> {
    return (await findScheduledJob(this.deps.store, name))?.generation === generation;
  }

  async #request(job: ScheduledJobRow): Promise<Answer> {
    const { clock, dispatch } = this.deps;
    try {
      const request = makeRequest(job.definition, clock.now(), this.#controller.signal);
      return await readAnswer(await dispatch(request, job));
    } catch (error) {
      const { message, code } = describeError(error);
      return { status: null, error: message, code };
    }
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status } = response;
  if (response.ok) return { status, error: null, code: null };
  const { error, code } = parseProblem(text);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const isRefused = code === NO_ROOM && seconds > 0;
  return {
    status,
    error: error?.slice(0, MAX_ERROR_LENGTH) ?? `answered with status ${status}`,
    code: errorCodes.find((each) => each === code) ?? null,
    ...(isRefused && { retryMs: seconds * 1000 }),
  };
}

function parseProblem(text: string): { readonly error?: string; readonly code?: string } {
  try {
    const { error, code } = JSON.parse(text) as { error?: unknown; code?: unknown };
    return { ...(typeof error === "string" && { error }), ...(typeof code === "string" && { code }) };
  } catch {
    // Not JSON.
    return {};
  }
}
