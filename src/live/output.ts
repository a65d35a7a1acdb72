// Saved output: predictions are written after they were recorded, beside detection and never in its way.
import { describeError, type ErrorCode, TorusError } from "../core/errors.ts";
import type { OpenBucket } from "../jobs/handlers/features.ts";
import { type SaveInput, savePrediction } from "../jobs/handlers/save.ts";
import { abortable } from "../runtime/abortable.ts";
import type { Clock } from "../runtime/clock.ts";

/** Predictions of a model that wait for their bucket; older ones give way. */
const MAX_WAITING = 100;
const ATTEMPTS = 5;
const FIRST_RETRY_MS = 1000;
const DEADLINE_MS = 30_000;

type Saving = SaveInput & { readonly target: { readonly bucket: string } };

/** The last failed write of a model. */
export interface OutputProblem {
  readonly code: ErrorCode;
  readonly message: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Predictions given up since the model was started or the server was. */
  readonly dropped: number;
}

export interface OutputDeps {
  readonly clock: Clock;
  readonly openBucket: OpenBucket;
  readonly onError: (error: unknown, model: string | null) => void;
}

interface Line {
  readonly waiting: Saving[];
  attempts: number;
  dropped: number;
  problem: OutputProblem | undefined;
  writing: AbortController | undefined;
  clearTimer: () => void;
}

/** One line per model: written in order, one at a time. */
export class Output {
  readonly #lines = new Map<string, Line>();

  constructor(private readonly deps: OutputDeps) {}

  /** Takes a prediction to be written; returns at once. */
  save(saving: Saving): void {
    const line = this.#lines.get(saving.model) ?? makeLine();
    this.#lines.set(saving.model, line);
    line.waiting.push(saving);
    if (line.waiting.length > MAX_WAITING) {
      line.waiting.shift();
      line.dropped++;
    }
    if (!line.writing) void this.#write(saving.model, line);
  }

  /** The last failed write, until one succeeds. */
  problemOf(model: string): OutputProblem | undefined {
    return this.#lines.get(model)?.problem;
  }

  /** Lets go of what waits for a model that has stopped. */
  forget(model: string): void {
    const line = this.#lines.get(model);
    this.#lines.delete(model);
    line?.clearTimer();
    line?.writing?.abort(new TorusError("canceled", "the model was stopped"));
  }

  stop(): void {
    for (const model of [...this.#lines.keys()]) this.forget(model);
  }

  async #write(model: string, line: Line): Promise<void> {
    const [saving] = line.waiting;
    if (!saving) return;
    const controller = new AbortController();
    line.writing = controller;
    const clearTimer = this.deps.clock.setTimer(
      () => controller.abort(new TorusError("deadline", "the output bucket did not answer in time")),
      DEADLINE_MS,
    );
    line.clearTimer = clearTimer;
    let delayMs = 0;
    try {
      await abortable(savePrediction(this.deps.openBucket, saving, controller.signal), controller.signal);
      this.#succeed(line, saving);
    } catch (error) {
      delayMs = this.#fail(model, line, { saving, error });
    }
    clearTimer();
    if (this.#lines.get(model) !== line) return;
    line.clearTimer = this.deps.clock.setTimer(() => {
      line.writing = undefined;
      void this.#write(model, line);
    }, delayMs);
  }

  #succeed(line: Line, saving: Saving): void {
    line.problem = undefined;
    line.attempts = 0;
    remove(line.waiting, saving);
  }

  /** @returns how long to wait before the next attempt, ms */
  #fail(model: string, line: Line, { saving, error }: { saving: Saving; error: unknown }): number {
    const { clock, onError } = this.deps;
    if (!(error instanceof TorusError)) onError(error, model);
    line.attempts++;
    const delayMs = FIRST_RETRY_MS * 2 ** (line.attempts - 1);
    if (line.attempts >= ATTEMPTS) {
      line.attempts = 0;
      if (remove(line.waiting, saving)) line.dropped++;
    }
    line.problem = { ...describeError(error), at: clock.now(), dropped: line.dropped };
    return delayMs;
  }
}

function makeLine(): Line {
  return {
    waiting: [],
    attempts: 0,
    dropped: 0,
    problem: undefined,
    writing: undefined,
    clearTimer: () => {},
  };
}

/** @returns false where it has given way already */
function remove(waiting: Saving[], saving: Saving): boolean {
  const index = waiting.indexOf(saving);
  if (index >= 0) waiting.splice(index, 1);
  return index >= 0;
}
