// Answers of the server as commands read them: views of src/api, with the settings of models typed.
import type { BucketContentView, BucketTestView } from "../../api/bucket.ts";
import type { JobView } from "../../api/job.ts";
import type { ModelView, VersionView } from "../../api/model.ts";
import type { ForecastView, PredictionView, StatView } from "../../api/prediction.ts";
import type { ModelSettings } from "../../core/model/model.ts";

export type Job = JobView;

export type Model = Omit<ModelView, "settings"> & { readonly settings: ModelSettings };
export type Version = Omit<VersionView, "settings"> & { readonly settings: ModelSettings };

export type Forecast = ForecastView;
export type Prediction = PredictionView;
/** Score of one interval; a forecast has none. */
export type Stat = Pick<StatView, "score" | "anomaly"> & Partial<StatView>;

/** Result of a read, a forecast or an evaluation. */
export type SeriesResult = Pick<PredictionView, "timestamps" | "observed"> &
  Partial<Pick<ForecastView, "predicted" | "constraint">> &
  Pick<PredictionView, "live" | "units"> & { readonly stats?: readonly Stat[] };

export type BucketTestResult = BucketTestView;
export type Exploration = BucketContentView;
