// Detection in a recipe: a model trained on its first part, which judges the rest, without a server.
import { findEpisodes } from "../../../src/core/anomaly/episode.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import type { Context, ModelKind } from "../../../src/models/kind.ts";
import { rulesOf } from "../../../src/models/scoring/detect.ts";
import { aModel } from "../../support/builders.ts";
import type { Raised } from "./judge.ts";
import { type Made, START_S } from "./recipes/recipe.ts";

const NAME = "value";

/** Anomalies at default thresholds, in order of time. */
export async function detect(kind: ModelKind, made: Made, context: Context): Promise<readonly Raised[]> {
  const { recipe, values, trained } = made;
  const { step, feature, settings: own } = recipe;
  const settings = aModel({
    bucket_interval: step,
    max_evals: 1,
    features: [{ name: NAME, metric: "avg", field: NAME, ...feature }],
    ...own,
  });
  const gridOf = (from: number, to: number): Grid => ({
    startAt: (START_S + from * step) * 1000,
    intervalMs: step * 1000,
    length: to - from,
    columns: { [NAME]: values.slice(from, to) },
  });
  const model = await kind.train({ settings, grid: gridOf(0, trained), overrides: { seed: 1 } }, context);
  const grid = gridOf(trained - kind.historyOf(model), values.length);
  const evaluation = await kind.evaluate(model, { settings, grid }, context);
  const { startAt, intervalMs } = evaluation.grid;
  const scores = Float64Array.from(evaluation.scores, ({ score }) => score ?? Number.NaN);
  const indexOf = (at: number) => (at - startAt) / intervalMs + trained;
  return findEpisodes({ startAt, intervalMs, scores }, rulesOf(settings)).map((episode) => {
    const from = indexOf(episode.startAt);
    const { type } = evaluation.scores[from - trained]!.features[NAME]!;
    return { from, to: episode.endAt == null ? values.length : indexOf(episode.endAt), type };
  });
}
