// Schemas of models and their versions: settings, training, live detection.
import { type TSchema, Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { ModelSettings } from "../core/model/model.ts";
import { ConfidenceLevel } from "./anomaly.ts";
import { FalseAlarms } from "./false-alarms.ts";
import { ForecastsByFeature } from "./forecast-explanation.ts";
import { JobProgress, JobState } from "./job-state.ts";
import { LiveState } from "./live.ts";
import { type Shown, seconds } from "./shown.ts";

/** Summary of a training; a kind omits fields that do not apply. */
export const summary = {
  loss: Type.Optional(Type.Number()),
  span: optional.integer("Window length in intervals"),
  points: optional.integer("Points of the training range"),
  series_trained: optional.integer("With `group_by`: series that the networks were trained on"),
  series_fitted: optional.integer("With `group_by`: series that the training fitted"),
  series_left: optional.integer("With `group_by`: series with too few points yet; fitted while live"),
  series_truncated: Type.Optional(
    Type.Literal(true, { description: "The training range has more series than `max_series`" }),
  ),
  conditions: optional.text("Calendar conditions of the network, for example `daytime, weekday`"),
  level: Type.Optional(
    Type.Union([Type.Number(), Type.String()], {
      description: "Usual value at the end of the training range. By feature if there are several",
    }),
  ),
  trend: optional.text("Trend that is followed: for example `0.7 a day`, `0.3 % a day` or `none`"),
  calendar: optional.text(
    "Days with usual values of their own: for example `weekends, holidays, last of the month`, `days of the week` or `none`",
  ),
  detectors: optional.text(
    "Detectors with their shares, for example `network 0.62, linear 0.31, seasonal 0.07`",
  ),
  period: Type.Optional(
    Type.Union([Type.Integer(), Type.String()], {
      description: "Period of the series in intervals; 0 = not periodic. By feature if they differ",
    }),
  ),
  excluded: optional.integer("Intervals excluded from the training: detected anomalies"),
  outliers: optional.integer("Further excluded points: gross anomalies without a flag"),
  refused: optional.text("Why a later version did not take over: `retrain.guard`"),
  forecaster: optional.text("Forecasters with their shares, for example `seasonal 0.77, holt-winters 0.23`"),
  forecast_error: optional.number("Mean absolute error, 1 = the error of repeating the last season"),
  forecast: Type.Optional(ForecastsByFeature),
  source_units: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: "Units of the points by feature, as their source stated them at the training",
    }),
  ),
  forecast_seasons: optional.text(
    "Seasons the training range is long enough to show: `day, week`, ... or `none`",
  ),
};

const Thresholds = Type.Object(
  {
    max: Type.Number({ description: "An anomaly starts when the score exceeds it" }),
    min: Type.Number({ description: "An anomaly ends when the score falls below it" }),
    source: Type.Union([Type.Literal("settings"), Type.Literal("automatic"), Type.Literal("mixed")], {
      description: "`mixed`: one of them is set, the other follows from it",
    }),
  },
  { description: "Effective thresholds; automatic ones depend on the length of an interval" },
);
export type ThresholdsView = Shown<typeof Thresholds>;

const count = (description: string) => Type.Integer({ description });

const FleetState = Type.Object(
  {
    watched: count("Those with neither an anomaly nor silence"),
    new: count("Not fitted yet"),
    anomalous: count("With an anomaly in progress, and not silent"),
    silent: count("Whose points have stopped"),
    failed: count("Not scored in the last window because of an error; they count above, too"),
    unwatched: count("Beyond `max_series`"),
    advice: optional.text("While some are not watched"),
  },
  { description: "With `group_by`, while live: series by state, after the last window" },
);
export type FleetStateView = Shown<typeof FleetState>;

const trained = {
  trained: Type.Boolean(),
  ...summary,
  bucket_interval: optional.number("Length of one interval in the training, seconds"),
  confidence: Type.Optional(ConfidenceLevel),
};

export const ModelState = Type.Object(
  {
    ...trained,
    thresholds: Type.Optional(Thresholds),
    series: Type.Optional(FleetState),
    false_alarms: Type.Optional(FalseAlarms),
  },
  {
    $id: "ModelState",
    description:
      "State of the active version; before a training, `trained` alone, and `confidence` while it is learning live",
  },
);
export type ModelStateView = Shown<typeof ModelState>;

export const Model = Type.Object(
  {
    settings: ModelSettings,
    state: ModelState,
    units: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          "Unit in force by feature: that of its settings, of the source of its points, or of their name",
      }),
    ),
    training: Type.Optional(
      Type.Object(
        {
          job_id: Type.String({ format: "uuid" }),
          state: JobState,
          progress: Type.Optional(JobProgress),
        },
        { description: "The training submitted last" },
      ),
    ),
    live: Type.Optional(LiveState),
  },
  { $id: "Model" },
);

/** Settings are typed as plain JSON: they are stored after their check. */
type WithSettings<T> = Omit<T, "settings"> & { readonly settings: Readonly<Record<string, unknown>> };
export type ModelView = WithSettings<Shown<typeof Model>>;

/** What a version lacks and another one of the list has. */
export const NO_VALUE = "none";
const orNone = ([key, schema]: [string, TSchema]) => [
  key,
  Type.Optional(Type.Union([schema, Type.Literal(NO_VALUE)])),
];

const { forecast: _, source_units: __, ...scalars } = trained;

/** Scalars alone, with the same keys in all versions of a list: command lines of Loud ML read them as columns. */
const VersionState = Type.Object(
  {
    ...(Object.fromEntries(Object.entries(scalars).map(orNone)) as typeof scalars),
    max_threshold: Thresholds.properties.max,
    min_threshold: Thresholds.properties.min,
    threshold_source: Thresholds.properties.source,
  },
  { description: `State of the version; \`${NO_VALUE}\`: not known of this one` },
);
export type VersionStateView = Shown<typeof VersionState>;

export const Version = Type.Object(
  {
    settings: ModelSettings,
    state: VersionState,
    version: Type.Object({
      name: Type.String({ description: "For example 00" }),
      active: Type.Boolean({ description: "Whether it is the active version" }),
      created_timestamp: seconds("End of the training, seconds since the epoch"),
      from: seconds("Start of the training range, seconds since the epoch"),
      to: seconds("End of the training range, exclusive, seconds since the epoch"),
    }),
  },
  { $id: "Version", description: "One training of a model" },
);
export type VersionView = WithSettings<Shown<typeof Version>>;
