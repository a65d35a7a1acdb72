// Runs scheduled jobs at their slots: each slot at most once, at most one run of a job at a time.
import { TorusError } from "../core/errors.ts";
import { type Ownership, type ShardUser, soleOwner } from "../core/ownership.ts";
import { isEnabled, nextRun, type ScheduledJob } from "../core/time/scheduled-job.ts";
import { KeyedLimiter } from "../runtime/keyed-limiter.ts";
import { yieldToEventLoop } from "../runtime/steps.ts";
import {
  findScheduledJob,
  loadScheduledJob,
  pageScheduledJobs,
  type ScheduledJobRow,
} from "../store/scheduled-jobs.ts";
import { claimSlot, finishRun, type RunOutcome } from "../store/scheduled-runs.ts";
import { Agenda } from "./agenda.ts";
import { Sender, type SenderDeps } from "./sender.ts";

/** A slot older than this is skipped, as after a suspend. */
const MAX_LATE_MS = 60_000;
/** Pause before a database that failed is read again. */
const RETRY_MS = 5000;
/** Longest sleep: a timer does not notice that the clock was set. */
const MAX_WAIT_MS = 60_000;

/** A run that ended, by the job as it was before. */
export interface ScheduledRun extends RunOutcome {
  readonly job: string;
  /** Whether the run before failed, too; false without one. */
  readonly wasFailing: boolean;
}

interface TimetableDeps extends SenderDeps {
  /** Jobs that run here; default: all. */
  readonly ownership?: Ownership;
  readonly onRun?: (run: ScheduledRun) => void;
  readonly onError: (error: unknown, job: string | null) => void;
}

export class Timetable implements ShardUser {
  readonly #runs = new KeyedLimiter(1);
  readonly #sender: Sender;
  #agenda: Agenda;
  /** Slots up to here were checked, ms since the epoch. */
  #checkedAt = 0;
  /** Whether the agenda lacks changes of the store. */
  #isStale = true;
  #clearTimer = () => {};
  #isOpen = false;
  #checking: Promise<void> = Promise.resolve();

  constructor(private readonly deps: TimetableDeps) {
    this.#agenda = new Agenda(deps.timezone);
    this.#sender = new Sender(deps);
  }

  /** Starts with the first slot after now: slots while the server was down are skipped. */
  async start(): Promise<void> {
    this.#isOpen = true;
    this.#checkedAt = this.deps.clock.now();
    await this.refresh();
  }

  /** To be called after scheduled jobs were created, changed or deleted. @param names of these; absent: any */
  refresh(names?: readonly string[]): Promise<void> {
    this.#checking = this.#checking.then(async () => {
      this.#isStale ||= names === undefined;
      await this.#check(names ?? []);
    });
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

  /** Runs the jobs of shards from now on; slots that another node has claimed are its own. */
  async gain(): Promise<void> {
    if (this.#isOpen) await this.refresh();
  }

  /** Claims no more slots of shards; runs under way go on. */
  async lose(): Promise<void> {
    if (this.#isOpen) await this.refresh();
  }

  #owns(name: string): boolean {
    return (this.deps.ownership ?? soleOwner).owns(name);
  }

  /** Claims no more slots, aborts the requests of the runs under way, and waits for these to end. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#clearTimer();
    this.#sender.stop();
    await this.#checking;
    await this.#runs.idle();
  }

  /** @param changed jobs to read again */
  async #check(changed: readonly string[]): Promise<void> {
    if (!this.#isOpen) return;
    this.#clearTimer();
    const { clock, onError } = this.deps;
    let wakeAt = clock.now() + RETRY_MS;
    try {
      const nowAt = clock.now();
      // After the clock was set back, checks go on from its new time; claimed slots stay claimed.
      const isBack = nowAt < this.#checkedAt;
      const fromAt = Math.max(Math.min(this.#checkedAt, nowAt), nowAt - MAX_LATE_MS);
      if (this.#isStale || isBack) await this.#planAll({ fromAt, nowAt });
      else for (const name of changed) await this.#plan(name, { fromAt, nowAt });
      await this.#runAllDue(nowAt);
      this.#checkedAt = nowAt;
      this.#isStale = false;
      wakeAt = this.#agenda.nextAt;
    } catch (error) {
      this.#isStale = true;
      onError(error, null);
    }
    if (this.#isOpen && Number.isFinite(wakeAt)) this.#wakeAt(wakeAt);
  }

  async #planAll(check: Check): Promise<void> {
    this.#agenda = new Agenda(this.deps.timezone);
    for await (const page of pageScheduledJobs(this.deps.store))
      for (const row of page) if (this.#owns(row.name)) this.#agenda.put(row, startOf(row, check));
  }

  async #plan(name: string, check: Check): Promise<void> {
    const row = this.#owns(name) ? await findScheduledJob(this.deps.store, name) : undefined;
    if (row) this.#agenda.put(row, startOf(row, check));
    else this.#agenda.remove(name);
  }

  /** Starts what is due, and plans its next slot; other work runs in between. */
  async #runAllDue(nowAt: number): Promise<void> {
    for (let due = this.#agenda.takeDue(nowAt); due; due = this.#agenda.takeDue(nowAt)) {
      const row = this.#owns(due.name) ? await findScheduledJob(this.deps.store, due.name) : undefined;
      if (row && isEnabled(row.definition)) {
        await this.#runDue(row, { fromAt: Math.max(due.fromAt, nowAt - MAX_LATE_MS), nowAt });
        this.#agenda.put(row, nowAt);
      }
      await yieldToEventLoop();
    }
  }

  #wakeAt(at: number): void {
    const { clock } = this.deps;
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(0, at - clock.now()));
    this.#clearTimer = clock.setTimer(() => void this.refresh([]), waitMs);
  }

  /** Runs the newest slot that is due, unless it was claimed or the job is running. */
  async #runDue(job: ScheduledJobRow, { fromAt, nowAt }: Check): Promise<void> {
    const slotAt = newestSlot(job.definition, { fromAt, nowAt, timezone: this.deps.timezone });
    if (slotAt === undefined || this.#runs.isFull(job.name)) return;
    if (!(await claimSlot(this.deps.store, { job: job.name, slotAt }, nowAt))) return;
    void this.#runs.add(job.name, () => this.#run(job, slotAt));
  }

  async #run(job: ScheduledJobRow, slotAt: number): Promise<void> {
    const { store, onRun, onError } = this.deps;
    const { name, lastError } = job;
    try {
      const outcome = await this.#sender.send(job, slotAt);
      // Aborted by a stop: there is no outcome.
      if (!this.#isOpen) return;
      await finishRun(store, { job: name, slotAt }, outcome);
      onRun?.({ job: name, wasFailing: lastError !== null, ...outcome });
    } catch (error) {
      if (this.#isOpen) onError(error, name);
    }
  }
}

/** The part of the time that a check looks at, ms since the epoch. */
interface Check {
  /** Exclusive. */
  readonly fromAt: number;
  readonly nowAt: number;
}

/** No slot before the last change of a job; one in the future was made before the clock was set back. */
function startOf({ updatedAt }: Pick<ScheduledJobRow, "updatedAt">, { fromAt, nowAt }: Check): number {
  return updatedAt <= nowAt ? Math.max(fromAt, updatedAt) : fromAt;
}

function newestSlot(
  job: ScheduledJob,
  { fromAt, nowAt, timezone }: Check & { readonly timezone: string },
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
