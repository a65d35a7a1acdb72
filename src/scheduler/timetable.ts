// The timetable: runs scheduled jobs when their slots come, each slot at most once, never two runs of one job at once.
import { describeError } from "../core/errors.ts";
import { nextRun, type ScheduledJob } from "../core/time/scheduled-job.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { listScheduledJobs, type ScheduledJobRow } from "../store/scheduled-jobs.ts";
import { claimSlot, finishRun, type RunOutcome } from "../store/scheduled-runs.ts";
import { makeRequest } from "./request.ts";

/** A slot that is later than this is missed: after a suspend, old work is not done again. */
const LATEST_MS = 60_000;
/** A database that cannot be read is asked again after this long. */
const RETRY_MS = 5000;
const MAX_ERROR_LENGTH = 1000;

export interface TimetableDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** IANA time zone of times of day. */
  readonly timezone: string;
  /**
   * Answers a request inside the process, with the rights of who made the job: nothing can be reached but this service.
   * @throws TorusError `forbidden` where those rights are gone
   */
  readonly dispatch: (request: Request, job: Pick<ScheduledJobRow, "name" | "creator">) => Promise<Response>;
  readonly onError: (error: unknown, job: string | null) => void;
}

export class Timetable {
  readonly #running = new Map<string, Promise<void>>();
  readonly #controller = new AbortController();
  /** Slots up to here have been looked at, ms since the epoch. */
  #checkedAt = 0;
  #clearTimer = () => {};
  #open = false;
  #checking: Promise<void> = Promise.resolve();

  constructor(private readonly deps: TimetableDeps) {}

  /** Begins with the first slot after now: those missed while the server was down are not made up for. */
  async start(): Promise<void> {
    this.#open = true;
    this.#checkedAt = this.deps.clock.now();
    await this.refresh();
  }

  /** To be called when scheduled jobs came, changed or went. */
  refresh(): Promise<void> {
    this.#checking = this.#checking.then(() => this.#check());
    return this.#checking;
  }

  /** Takes no more slots and waits for the runs under way, whose requests are told to give up. */
  async stop(): Promise<void> {
    this.#open = false;
    this.#clearTimer();
    this.#controller.abort();
    await this.#checking;
    await Promise.all(this.#running.values());
  }

  async #check(): Promise<void> {
    if (!this.#open) return;
    this.#clearTimer();
    const { store, clock, timezone, onError } = this.deps;
    let wakeAt = clock.now() + RETRY_MS;
    try {
      const rows = await listScheduledJobs(store);
      const nowAt = clock.now();
      // A clock that went back starts over from where it is; slots already taken stay taken.
      const fromAt = Math.max(Math.min(this.#checkedAt, nowAt), nowAt - LATEST_MS);
      for (const row of rows) {
        const { updatedAt } = row;
        // A new timetable begins when it is made, not with a slot just before. One made in the future was made
        // before the clock went back.
        const madeAt = updatedAt <= nowAt ? updatedAt : fromAt;
        await this.#runDue(row, { fromAt: Math.max(fromAt, madeAt), nowAt });
      }
      this.#checkedAt = nowAt;
      wakeAt = Math.min(...rows.map(({ definition }) => nextRun(definition, nowAt, timezone)));
    } catch (error) {
      onError(error, null);
    }
    if (this.#open && Number.isFinite(wakeAt)) this.#wakeAt(wakeAt);
  }

  #wakeAt(at: number): void {
    const { clock } = this.deps;
    this.#clearTimer = clock.setTimer(() => void this.refresh(), Math.max(0, at - clock.now()));
  }

  /** Runs the newest slot that has come, if it is still to be had and the job is not at work. */
  async #runDue(job: ScheduledJobRow, { fromAt, nowAt }: { fromAt: number; nowAt: number }): Promise<void> {
    const slotAt = newestSlot(job.definition, { fromAt, nowAt, timezone: this.deps.timezone });
    if (slotAt === undefined || this.#running.has(job.name)) return;
    if (!(await claimSlot(this.deps.store, { job: job.name, slotAt }, nowAt))) return;
    const run = this.#run(job, slotAt).finally(() => this.#running.delete(job.name));
    this.#running.set(job.name, run);
  }

  async #run(job: ScheduledJobRow, slotAt: number): Promise<void> {
    const { store, onError } = this.deps;
    try {
      const outcome = await this.#send(job);
      // A stopped server has learnt nothing about the job.
      if (!this.#controller.signal.aborted) await finishRun(store, { job: job.name, slotAt }, outcome);
    } catch (error) {
      onError(error, job.name);
    }
  }

  async #send(job: ScheduledJobRow): Promise<RunOutcome> {
    const { clock, dispatch } = this.deps;
    try {
      const request = makeRequest(job.definition, clock.now(), this.#controller.signal);
      const response = await dispatch(request, job);
      const text = await response.text();
      return { status: response.status, error: response.ok ? null : explain(text, response.status) };
    } catch (error) {
      return { status: null, error: describeError(error).message };
    }
  }
}

function newestSlot(
  job: ScheduledJob,
  { fromAt, nowAt, timezone }: { fromAt: number; nowAt: number; timezone: string },
): number | undefined {
  let newest: number | undefined;
  for (
    let slotAt = nextRun(job, fromAt, timezone);
    slotAt <= nowAt;
    slotAt = nextRun(job, slotAt, timezone)
  ) {
    newest = slotAt;
  }
  return newest;
}

/** The answer's own words, or its status. */
function explain(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === "string") return error.slice(0, MAX_ERROR_LENGTH);
  } catch {
    // Not JSON: the status has to do.
  }
  return `answered with status ${status}`;
}
