// Series of models for PromQL: observed and expected values, bands, scores, anomalies and forecasts by feature.
import { type SeriesTags, seriesKeyOf } from "../../core/model/fleet.ts";
import { bucketOf } from "../../core/model/model.ts";
import type { Range } from "../../core/series/grid.ts";
import { groupValuesOf } from "../../core/series/grouped-grid.ts";
import { type StoredSettings, storedSettings } from "../../live/stored-settings.ts";
import { NAME } from "../../promql/labels.ts";
import { listScoredSeries } from "../../store/anomalies/scores.ts";
import { type ModelRow, readAllModels } from "../../store/models.ts";
import { type ForecastDeps, ModelForecasts } from "./model-forecasts.ts";
import { type ModelColumn, readIntervals } from "./model-intervals.ts";
import { admits, labelsOf } from "./names.ts";
import type { SeriesPage, SeriesSource, VisitRequest } from "./source.ts";

export type ModelSeriesDeps = ForecastDeps;

/** Metrics of models, with their help. */
export const modelMetrics: Readonly<Record<ModelColumn, string>> = {
  observed: "Value of a feature in an interval, as the model reads it",
  expected: "Value that the model expected",
  lower: "Lower edge of the band of values that raise nothing",
  upper: "Upper edge of the band of values that raise nothing",
  score: "Score of the feature in the interval, 0 to 100",
  forecast: "Value that the model predicts for an interval to come",
  anomaly: "1 where the feature is part of an anomaly, else 0",
};

const PREFIX = "torus_";
export const metricOf = (column: ModelColumn): string => `${PREFIX}${column}`;
const columns = Object.keys(modelMetrics) as ModelColumn[];

/** One model, or one series of a fleet. */
interface Subject {
  readonly row: ModelRow;
  readonly stored: StoredSettings;
  /** Of a fleet. */
  readonly tags?: SeriesTags;
}

export class ModelSeries implements SeriesSource {
  readonly #forecasts: ModelForecasts;

  constructor(private readonly deps: ModelSeriesDeps) {
    this.#forecasts = new ModelForecasts(deps);
  }

  /** Series of recorded scores: a model that was never live has none, but its observed values. */
  async visit(request: VisitRequest, onPage: (page: SeriesPage) => Promise<void>): Promise<void> {
    const { matchers } = request;
    const wanted = columns.filter((column) => admits(matchers, NAME, metricOf(column)));
    if (wanted.length === 0) return;
    for (const row of await readAllModels(this.deps.store)) {
      if (!admits(matchers, "model", row.name)) continue;
      for (const subject of await this.#subjectsOf(row))
        await this.#visitSubject(subject, { ...request, wanted }, onPage);
    }
  }

  async #subjectsOf(row: ModelRow): Promise<readonly Subject[]> {
    const stored = storedSettings(row);
    const { group_by } = stored.settings;
    if (!group_by) return [{ row, stored }];
    const keys = await listScoredSeries(this.deps.store, row.name);
    return keys.flatMap((key) => {
      const values = groupValuesOf(key);
      const tags = Object.fromEntries(group_by.map((tag, i) => [tag, values[i] ?? ""]));
      // Recorded with other tags, before `group_by` was changed.
      return seriesKeyOf(group_by, tags) === key ? [{ row, stored, tags }] : [];
    });
  }

  async #visitSubject(
    { row, stored, tags = {} }: Subject,
    { matchers, wanted, signal }: VisitRequest & { readonly wanted: readonly ModelColumn[] },
    onPage: (page: SeriesPage) => Promise<void>,
  ): Promise<void> {
    const { name: model, generation, version } = row;
    const named = { model, generation, ...(version && { version: version.name }) };
    const own = { ...named, stored, ...(stored.settings.group_by && { tags }) };
    const read = { ...this.deps, forecasts: this.#forecasts, ...own };
    for (const { name: feature, bucket } of stored.settings.features) {
      const source = bucket ?? bucketOf(stored.settings);
      if (!admits(matchers, "feature", feature)) continue;
      for (const column of wanted) {
        const labels = labelsOf(metricOf(column), { model: row.name, feature }, tags);
        // A forecast is not part of what is there.
        const hasSamples = ({ toAt }: Range) => column !== "forecast" || toAt > this.deps.clock.now();
        await onPage({
          series: [{ labels, hasSamples }],
          // Scores are stored here.
          ...((column === "observed" || column === "forecast") && { bucket: source }),
          read: async (_, range, budget) => {
            if (!hasSamples(range)) return [];
            budget.take("series");
            return [await readIntervals(read, { feature, column, range, budget, signal })];
          },
        });
      }
    }
  }
}
