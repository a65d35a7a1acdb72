// Job queue: submits, claims, runs, cancels and recovers jobs; their durable state is in the store.
import { isFinal, type JobType } from "../../core/job.ts";
import { waitAtMost } from "../../runtime/deadline.ts";
import { type ClaimedJob, cancelJobs, claimJob, giveBackJob, submitJobs } from "../../store/jobs/jobs.ts";
import { interruptForeground, type Recovered, recoverJobs } from "../../store/jobs/recovery.ts";
import { type JobRow, loadJob } from "../../store/jobs/rows.ts";
import { type JobInputs, versionsIn } from "./input.ts";
import { type Lane, type LaneSizes, makeLanes } from "./lanes.ts";
import type { Report } from "./progress.ts";
import { JobRun, type RunDeps } from "./run.ts";
import { type SweepDeps, startSweeping } from "./sweep.ts";
import { followJob, waitForJob } from "./wait.ts";
import { Waiters, type WaitLimits } from "./waiters.ts";

/** Delay after a failed claim. */
const RETRY_MS = 1000;

export interface QueueDeps extends RunDeps, Omit<SweepDeps, "onError" | "results"> {
  readonly lanes: LaneSizes;
  /** Largest number of waiting jobs; more are refused with `overloaded`. */
  readonly maxWaiting: number;
  /** How long `stop` waits for aborted handlers, ms. */
  readonly graceMs: number;
  /** A fresh UUID. */
  readonly newId: () => string;
  /** The node, where others share the database. */
  readonly node?: QueueNode;
}

/** A node that shares its jobs with others. */
export interface QueueNode {
  /** Of its membership, which changes where its lease was lost. */
  readonly id: string;
  /** Whether it runs jobs that no request of its own waits for. */
  readonly isWorking: boolean;
  /** Progress of a job that another node runs. */
  progressOf(id: string): Report | undefined;
}

/** A job to submit: a type with the input of that type. */
export type Submission = {
  readonly [T in JobType]: {
    readonly type: T;
    readonly model: string | null;
    readonly input: JobInputs[T];
    /** A request waits for it with `wait`: its result goes to that request and is not stored. */
    readonly foreground?: boolean;
  };
}[JobType];

export interface SubmitOptions {
  /** As in `Submission`. */
  readonly foreground?: boolean;
}

export class Queue {
  readonly #lanes: readonly Lane[];
  readonly #runs = new Map<string, JobRun>();
  /** Running handlers, including those of dropped jobs. */
  readonly #executions = new Set<Promise<void>>();
  readonly #waiters: Waiters;
  /** Results of foreground jobs until their request has read them; undefined until they end. */
  readonly #answers = new Map<string, JobRun["answer"]>();
  /** Cleared by `stop`. */
  readonly #timers = new Set<() => void>();
  #open = false;

  constructor(private readonly deps: QueueDeps) {
    this.#lanes = makeLanes(deps.lanes);
    this.#waiters = new Waiters(deps.clock);
  }

  /** Recovers the jobs that a crashed server left running, then starts claiming; of nodes, each other one recovers them. */
  async start(): Promise<Recovered> {
    const { store, clock, node } = this.deps;
    const recovered = node ? { waiting: 0, failed: 0, canceled: 0 } : await recoverJobs(store, clock.now());
    this.#open = true;
    this.#timers.add(startSweeping(this.deps));
    this.#fillAll();
    return recovered;
  }

  /** Stops claiming, aborts handlers, returns unfinished jobs to waiting and cancels foreground jobs. */
  async stop(): Promise<void> {
    this.#open = false;
    for (const clearTimer of this.#timers) clearTimer();
    this.#timers.clear();
    this.#waiters.resolveAll("stopping");
    for (const run of this.#runs.values()) run.abort({ dropped: run.job.foreground });
    await Promise.all([this.#interruptForeground(), this.#awaitExecutions()]);
    for (const run of this.#runs.values()) if (!run.job.foreground) await this.#giveBack(run);
    this.#runs.clear();
    this.#answers.clear();
  }

  /**
   * Adds jobs, all or none.
   * @returns their ids, in order
   * @throws TorusError `overloaded`, `not_found` (model or version), `training_active`
   */
  async submit(...list: Submission[]): Promise<string[]> {
    const { store, newId, clock, maxWaiting, node } = this.deps;
    const rows = list.map((submission) => {
      // Its result is in the memory of the node that runs it.
      const owner = submission.foreground && node ? { owner: node.id } : {};
      return { id: newId(), ...submission, ...owner, versions: versionsIn(submission.input) };
    });
    await submitJobs(store, rows, { at: clock.now(), maxWaiting });
    for (const { id, foreground } of rows) if (foreground) this.#answers.set(id, undefined);
    this.#fillAll();
    return rows.map(({ id }) => id);
  }

  /** Cancels jobs, all or none; final at once. @throws TorusError `not_found`, `job_stopped` */
  async cancel(ids: readonly string[]): Promise<void> {
    await cancelJobs(this.deps.store, ids, this.deps.clock.now());
    this.release(ids);
  }

  /** Aborts jobs that were ended in the store by other code, such as the deletion of their model. */
  release(ids: readonly string[]): void {
    for (const id of ids) {
      const run = this.#runs.get(id);
      if (run) {
        run.abort({ dropped: true });
        this.#free(run);
      }
      this.#waiters.resolve(id);
    }
  }

  /** Claims what other nodes have submitted. */
  fill(): void {
    this.#fillAll();
  }

  /** Resolves the waits for jobs whose end on another node was not heard of. */
  async resolveEnded(): Promise<void> {
    for (const id of this.#waiters.ids) {
      const row = await loadJob(this.deps.store, id).catch(() => undefined);
      if (!row || isFinal(row.state)) this.release([id]);
    }
  }

  /** Aborts all runs, as other nodes have their jobs now: the lease was lost. */
  abandon(): void {
    for (const run of [...this.#runs.values()]) {
      run.abort({ dropped: true });
      this.#free(run);
    }
  }

  /** Jobs that run here, with their latest reports. */
  listRunning(): readonly { readonly job: ClaimedJob; readonly report: Report }[] {
    return [...this.#runs.values()].flatMap(({ job, report }) => (report ? [{ job, report }] : []));
  }

  /** Latest report of the job, if it is running. */
  progressOf(id: string): Report | undefined {
    return this.#runs.get(id)?.report ?? this.deps.node?.progressOf(id);
  }

  /**
   * Waits for a job to end; it is canceled when its caller disconnects or the deadline passes.
   * @returns its final row, with the result even of a foreground job
   * @throws TorusError `not_found`, `deadline`, `canceled` (caller disconnected), `interrupted` (server stops)
   */
  async wait(id: string, limits: WaitLimits): Promise<JobRow> {
    const cancel = (ids: readonly string[]) => this.cancel(ids);
    try {
      const row = await waitForJob({ store: this.deps.store, waiters: this.#waiters, cancel }, id, limits);
      const answer = this.#answers.get(id);
      return row.state === "done" && answer ? { ...row, ...answer } : row;
    } finally {
      this.#answers.delete(id);
    }
  }

  /** Waits for a job to end, at most until the deadline; the job goes on. @throws TorusError `not_found` */
  follow(id: string, limits: WaitLimits): Promise<void> {
    return followJob({ store: this.deps.store, waiters: this.#waiters }, id, limits);
  }

  #fillAll(): void {
    for (const lane of this.#lanes) void this.#fill(lane);
  }

  /** Claims jobs until the lane is full or none is waiting; one fill per lane at a time. */
  async #fill(lane: Lane): Promise<void> {
    lane.again = true;
    if (lane.filling) return;
    lane.filling = true;
    try {
      while (lane.again) {
        lane.again = false;
        while (this.#open && lane.busy < lane.size && (await this.#claim(lane)));
      }
      lane.failing = false;
    } catch (error) {
      if (!lane.failing) this.deps.onError(error, null);
      lane.failing = true;
      this.#fillLater(lane);
    } finally {
      lane.filling = false;
    }
  }

  #fillLater(lane: Lane): void {
    if (!this.#open) return;
    const clearTimer = this.deps.clock.setTimer(() => {
      this.#timers.delete(clearTimer);
      void this.#fill(lane);
    }, RETRY_MS);
    this.#timers.add(clearTimer);
  }

  async #claim(lane: Lane): Promise<boolean> {
    const { store, clock, newId, node } = this.deps;
    const owner = node ? `${node.id}/${newId()}` : newId();
    const by = node && { node: node.id, isWorking: node.isWorking };
    const job = await claimJob(store, lane.types, { owner, at: clock.now(), ...by });
    if (!job) return false;
    if (this.#open) this.#launch(new JobRun(job, lane, this.deps));
    else await giveBackJob(store, job);
    return true;
  }

  #launch(run: JobRun): void {
    run.lane.busy++;
    this.#runs.set(run.job.id, run);
    const execution = run.execute().then(() => {
      this.#executions.delete(execution);
      if (this.#answers.has(run.job.id)) this.#answers.set(run.job.id, run.answer);
      this.#free(run);
      this.#waiters.resolve(run.job.id);
    });
    this.#executions.add(execution);
  }

  /** Frees the lane as soon as the job is final, even if its handler ignores the abort for a while. */
  #free(run: JobRun): void {
    if (!this.#runs.delete(run.job.id)) return;
    run.lane.busy--;
    void this.#fill(run.lane);
  }

  async #awaitExecutions(): Promise<void> {
    if (this.#executions.size === 0) return;
    const { clock, graceMs } = this.deps;
    await waitAtMost(graceMs, Promise.all(this.#executions), clock);
  }

  /** Jobs that cannot be updated now are recovered at the next start. */
  async #interruptForeground(): Promise<void> {
    try {
      await interruptForeground(this.deps.store, this.deps.clock.now(), this.deps.node?.id);
    } catch (error) {
      this.deps.onError(error, null);
    }
  }

  /** A job that cannot be updated now is recovered at the next start. */
  async #giveBack(run: JobRun): Promise<void> {
    try {
      await run.giveBack();
    } catch (error) {
      this.deps.onError(error, run.job);
    }
  }
}
