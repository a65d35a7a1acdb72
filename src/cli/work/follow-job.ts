// Starts jobs on the server and follows them with a progress line; Ctrl-C cancels them.
import { ApiError, type Client, type Job, pathOf, shareOf } from "../client/client.ts";
import { ConnectionError } from "../client/connect.ts";
import type { Context } from "../command/command.ts";
import { type ProgressLine, startProgress } from "../terminal/progress.ts";

/** Shorter work shows no progress. */
const PROGRESS_DELAY_MS = 300;

export interface Work {
  /** Shown before the progress bar. */
  readonly label: string;
  /** Print the id of the job instead of waiting. */
  readonly detach: boolean;
  /** @returns the id of the job */
  readonly submit: (client: Client) => Promise<string>;
}

/** Starts a job and waits for its end. @returns the job; undefined with `detach`, which prints its id */
export async function runJob(context: Context, { label, detach, submit }: Work): Promise<Job | undefined> {
  // The lasting client: an interrupt between the request and its answer must not lose the id.
  const id = await submit(context.lasting);
  if (!detach) return followJob(context, id, label);
  context.answer(id, () => id);
  return undefined;
}

/**
 * Waits for a job with a progress line; an interrupt cancels it.
 * @throws JobError if it failed or was canceled
 */
export async function followJob(context: Context, id: string, label: string): Promise<Job> {
  const line = openProgress(context, label);
  try {
    const job = await context.client.waitForJob(id, (seen) => line.update(describeJob(seen)));
    context.signal.throwIfAborted();
    return job;
  } catch (error) {
    if (context.signal.aborted) {
      line.end();
      await cancelJob(context, id);
    }
    if (error instanceof ConnectionError)
      throw new ConnectionError(`${error.message}\ntorus: the job continues: torus show-job ${id}`);
    throw error;
  } finally {
    line.end();
  }
}

/**
 * Cancels a job after an interrupt, and reports the outcome.
 * @returns the job if it had already ended
 */
export async function cancelJob({ lasting, terminal }: Context, id: string): Promise<Job | undefined> {
  const say = (text: string) => terminal.writeError(`torus: ${text}\n`);
  try {
    await lasting.call(`POST ${pathOf("jobs", [id])}/_cancel`);
    say(`canceled job ${id}`);
  } catch (error) {
    const ended = isStopped(error) ? await lasting.getJob(id).catch(() => undefined) : undefined;
    if (ended) say(`job ${id} had already ended: ${ended.state}`);
    else
      say(`job ${id} not canceled: ${error instanceof ApiError ? error.reason : (error as Error).message}`);
    return ended;
  }
  return undefined;
}

function isStopped(error: unknown): boolean {
  return error instanceof ApiError && error.code === "job_stopped";
}

/** A progress line on standard error; none with `--quiet` or for short work. */
export function openProgress({ terminal, globals }: Context, label: string): ProgressLine {
  const { columns } = terminal;
  const startedAt = terminal.now();
  const line = startProgress(label, {
    write: (text) => terminal.writeError(text),
    isTTY: terminal.isTty.errors,
    ...(columns !== undefined && { columns }),
    now: () => terminal.now(),
  });
  const isDue = () => !globals.quiet && terminal.now() - startedAt >= PROGRESS_DELAY_MS;
  return {
    update: (state) => {
      if (isDue()) line.update(state);
    },
    end: () => line.end(),
  };
}

function describeJob(job: Job): { share?: number; leftMs?: number; note?: string } {
  const share = shareOf(job);
  return {
    ...(share !== undefined && { share }),
    ...(job.remaining_time !== undefined && { leftMs: job.remaining_time * 1000 }),
    note: noteOf(job),
  };
}

function noteOf({ state, progress = {} }: Job): string {
  if (state === "waiting") return "waiting";
  const { eval: trial, max_evals: trials, epoch, epochs, loss, phase, series, max_series: all } = progress;
  const parts = [
    phase && `${phase} series ${series ?? 0} of ${all ?? 0}`,
    // Trials have epochs; without these they are the hundredths that the bar shows.
    epochs !== undefined && `${trial ?? 0} of ${trials ?? 0} trials`,
    epochs !== undefined && `epoch ${epoch ?? 0} of ${epochs}`,
    loss !== undefined && `loss ${loss.toFixed(3)}`,
  ];
  return parts.filter(Boolean).join(", ");
}
