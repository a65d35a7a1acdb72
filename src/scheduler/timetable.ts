// Runs scheduled jobs at their slots: each slot at most once, at most one run of a job at a time.
import { describeError, TorusError } from "../core/errors.ts";
import { isEnabled, nextRun, type ScheduledJob } from "../core/time/scheduled-job.ts";
import type { Clock } from "../runtime/clock.ts";
import { KeyedLimiter } from "../runtime/keyed-limiter.ts";
import type { Store } from "../store/db/open.ts";
import { listScheduledJobs, loadScheduledJob, type ScheduledJobRow } from "../store/scheduled-jobs.ts";
import { claimSlot, finishRun, type RunOutcome } from "../store/scheduled-runs.ts";
import { makeRequest } from "./request.ts";

/** A slot older than this is skipped, as after a suspend. */
const MAX_LATE_MS = 60_000;
/** Pause before a database that failed is read again. */
const RETRY_MS = 5000;
const MAX_ERROR_LENGTH = 1000;

interface TimetableDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** IANA time zone of times of day. */
  readonly timezone: string;
  /**
   * Answers a request inside the process, with the rights of the creator of the job.
   * @throws TorusError `forbidden` where the creator has lost them
   */
  readonly dispatch: (request: Request, job: Pick<ScheduledJobRow, "name" | "creator">) => Promise<Response>;
  readonly onError: (error: unknown, job: string | null) => void;
}

export class Timetable {
  readonly #runs = new KeyedLimiter(1);
  readonly #controller = new AbortController();
  /** Slots up to here were checked, ms since the epoch. */
  #checkedAt = 0;
  #clearTimer = () => {};
  #isOpen = false;
  #checking: Promise<void> = Promise.resolve();

  constructor(private readonly deps: TimetableDeps) {}

  /** Starts with the first slot after now: slots while the server was down are skipped. */
  async start(): Promise<void> {
    this.#isOpen = true;
    this.#checkedAt = this.deps.clock.now();
    await this.refresh();
  }

  /** To be called after scheduled jobs were created, changed or deleted. */
  refresh(): Promise<void> {
    this.#checking = this.#checking.then(() => this.#check());
    return this.#checking;
  }

  /**
   * Starts a run beside the slots of the job, unless one is under way.
   * @throws TorusError `not_found`, `not_supported` where scheduled jobs are off
   */
  async runNow(name: string): Promise<void> {
    const { store, clock } = this.deps;
    const job = await loadScheduledJob(store, name);
    if (!this.#isOpen)
      throw new TorusError("not_supported", "scheduled jobs are off: the server runs with --no-live");
    const slotAt = clock.now();
    if (this.#runs.isFull(name) || !(await claimSlot(store, { job: name, slotAt }, slotAt))) return;
    void this.#runs.add(name, () => this.#run(job, slotAt));
  }

  /** Claims no more slots, aborts the requests of the runs under way, and waits for these to end. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#clearTimer();
    this.#controller.abort();
    await this.#checking;
    await this.#runs.idle();
  }

  async #check(): Promise<void> {
    if (!this.#isOpen) return;
    this.#clearTimer();
    const { store, clock, timezone, onError } = this.deps;
    let wakeAt = clock.now() + RETRY_MS;
    try {
      const rows = (await listScheduledJobs(store)).filter(({ definition }) => isEnabled(definition));
      const nowAt = clock.now();
      // After the clock was set back, checks go on from its new time; claimed slots stay claimed.
      const fromAt = Math.max(Math.min(this.#checkedAt, nowAt), nowAt - MAX_LATE_MS);
      for (const row of rows) {
        // No slot before its last change; one in the future was made before the clock was set back.
        const changedAt = row.updatedAt <= nowAt ? row.updatedAt : fromAt;
        await this.#runDue(row, { fromAt: Math.max(fromAt, changedAt), nowAt });
      }
      this.#checkedAt = nowAt;
      wakeAt = Math.min(...rows.map(({ definition }) => nextRun(definition, nowAt, timezone)));
    } catch (error) {
      onError(error, null);
    }
    if (this.#isOpen && Number.isFinite(wakeAt)) this.#wakeAt(wakeAt);
  }

  #wakeAt(at: number): void {
    const { clock } = this.deps;
    this.#clearTimer = clock.setTimer(() => void this.refresh(), Math.max(0, at - clock.now()));
  }

  /** Runs the newest slot that is due, unless it was claimed or the job is running. */
  async #runDue(job: ScheduledJobRow, { fromAt, nowAt }: { fromAt: number; nowAt: number }): Promise<void> {
    const slotAt = newestSlot(job.definition, { fromAt, nowAt, timezone: this.deps.timezone });
    if (slotAt === undefined || this.#runs.isFull(job.name)) return;
    if (!(await claimSlot(this.deps.store, { job: job.name, slotAt }, nowAt))) return;
    void this.#runs.add(job.name, () => this.#run(job, slotAt));
  }

  async #run(job: ScheduledJobRow, slotAt: number): Promise<void> {
    const { store, onError } = this.deps;
    try {
      const outcome = await this.#send(job);
      // Aborted by a stop: there is no outcome.
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
      return { status: response.status, error: response.ok ? null : errorOf(text, response.status) };
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

/** The error of the answer, or its status. */
function errorOf(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === "string") return error.slice(0, MAX_ERROR_LENGTH);
  } catch {
    // Not JSON.
  }
  return `answered with status ${status}`;
}
