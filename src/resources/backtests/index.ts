// Backtests: trained on a part of the past, evaluated on the rest; the model itself does not change.
import type { Queue, SubmitOptions } from "../../jobs/queue/queue.ts";
import type { Clock } from "../../runtime/clock.ts";
import { loadModel } from "../../store/models.ts";
import type { PlanDeps } from "../models/plan.ts";
import type { Params } from "../shared/range.ts";
import { planBacktest } from "./plan.ts";

interface BacktestDeps extends PlanDeps {
  readonly queue: Pick<Queue, "submit">;
  readonly clock: Pick<Clock, "now">;
}

export class Backtests {
  constructor(private readonly deps: BacktestDeps) {}

  /**
   * Submits a backtest; the model may be untrained, in training or live.
   * @throws TorusError `not_found`, `invalid`, `too_little_data`, `overloaded`
   */
  async submit(name: string, params: Params, options: SubmitOptions = {}): Promise<{ jobId: string }> {
    const row = await loadModel(this.deps.store, name);
    const input = await planBacktest(this.deps, { row, params, nowAt: this.deps.clock.now() });
    const [jobId] = await this.deps.queue.submit({ type: "backtest", model: name, input, ...options });
    return { jobId: jobId! };
  }
}
