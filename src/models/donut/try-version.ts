// Test evaluation of an imported version: its networks must predict finite numbers.
import { invalid } from "../../core/errors.ts";
import type { Grid } from "../../core/series/grid.ts";
import type { Context, ForeignVersion, TrainedModel } from "../kind.ts";
import { DEFAULT_LEVEL } from "../stats/normal.ts";
import { isNetworkAbsent } from "./absent-network.ts";
import { evaluateDonut, historyOf } from "./evaluate.ts";
import type { DonutOptions } from "./options.ts";
import { type DonutParameters, networksOf } from "./parameters.ts";

/** Intervals to score. */
const TRIAL_LENGTH = 16;
/** Test values in deviations, up to the limit of standardised values; NaN = missing. */
const PATTERN = [0, 1, -1, Number.NaN, 3, 50, Number.NaN, -50];

interface Deps {
  readonly options: DonutOptions;
  readonly context: Context;
}

/**
 * Evaluates a synthetic series: finite weights may still overflow.
 * @param version checked by `checkVersion`
 * @throws TorusError `invalid` with the path `weights`; `canceled`, `worker_crashed`
 */
export async function tryVersion(version: ForeignVersion, deps: Deps): Promise<void> {
  const { settings, parameters, weights } = version;
  const model: TrainedModel = { weights, parameters, summary: {} };
  // A fleet without networks expects nothing before it is fitted to a series.
  const networks = networksOf(model).filter((network) => !isNetworkAbsent(network) || network.ensemble);
  if (networks.length === 0) return;
  const grid = trialGrid(parameters as DonutParameters, historyOf(model) + TRIAL_LENGTH);
  const { predicted, lower, upper } = await evaluateDonut(
    model,
    { settings, grid, level: DEFAULT_LEVEL },
    deps,
  );
  for (const { name } of networks) {
    if ([predicted, lower, upper].every((columns) => columns[name]!.every(Number.isFinite))) continue;
    const reason = `of feature ${name} predict no finite numbers: they are too large, or were changed`;
    throw invalid("weights", `${reason}; export the model again from a server that can evaluate it`);
  }
}

function trialGrid({ features }: DonutParameters, length: number): Grid {
  const columns = features.map(({ name, standardisation: { mean, deviation } }) => {
    const valueAt = (_: unknown, i: number) => mean + deviation * PATTERN[i % PATTERN.length]!;
    return [name, Float64Array.from({ length }, valueAt)] as const;
  });
  return { startAt: 0, intervalMs: 60_000, length, columns: Object.fromEntries(columns) };
}
