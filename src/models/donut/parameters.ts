// Stored parameters of a trained Donut version: one network per feature, beside the flat weights.
import { Type } from "@sinclair/typebox";
import { CalendarSchema } from "../baseline/calendar.ts";
import { TrendSchema } from "../baseline/trend.ts";
import { ToleratedKindSchema } from "../detectors/tolerance.ts";
import { byDetector, EnsembleSchema } from "../detectors/types.ts";
import { ForecastSchema } from "../forecasters/parameters.ts";
import { type Joint, JointSchema } from "../joint/joint.ts";
import type { TrainedModel } from "../kind.ts";
import { TailSchema } from "../stats/tail.ts";
import { positive, type Stored, sizeUpTo, strict } from "../stored-schema.ts";
import { ConditionsSchema } from "./condition.ts";

/** Longest window of an imported version: each evaluation reads as many intervals of history. */
const MAX_WINDOW = 100_000;

/** Tails of the statistics of a fleet's series, one quantile of a series as much as that of another. */
const PooledTailsSchema = Type.Object(
  {
    /** Of the detectors; of the linear one in units of its scale. */
    detectors: byDetector(TailSchema),
    /** Of versions of older releases. */
    range: Type.Optional(TailSchema),
  },
  strict,
);
export type PooledTails = Stored<typeof PooledTailsSchema>;

export const FeatureNetworkSchema = Type.Object(
  {
    name: Type.String(),
    /** A `DonutShape`. */
    shape: Type.Object(
      {
        window: sizeUpTo(MAX_WINDOW),
        hidden: sizeUpTo(10_000),
        latent: sizeUpTo(10_000),
        condition: Type.Optional(sizeUpTo(100)),
      },
      strict,
    ),
    /** The conditions of which `shape.condition` is the number; absent without conditions. */
    conditions: Type.Optional(ConditionsSchema),
    /** Position of the network's parameters in the flat weights of the version. */
    offset: Type.Integer({ minimum: 0 }),
    /** 0 without a network; the window of `shape` is then that of the linear detector. */
    size: Type.Integer({ minimum: 0 }),
    standardisation: Type.Object({ mean: Type.Number(), deviation: positive }, strict),
    /** Tail of the nll of normal points that deviate in a direction that counts. */
    tail: TailSchema,
    /** In versions without `forecast`: factor that calibrates the network's own band. */
    forecastWidening: Type.Optional(positive),
    /** Absent in versions trained before forecasts were combined. */
    forecast: Type.Optional(ForecastSchema),
    /** Negative ELBO per point on the validation part, nats; without a network, the error of repeating values. */
    loss: Type.Number(),
    /** Absent in versions trained before there were ensembles. */
    ensemble: Type.Optional(EnsembleSchema),
    /** Removed from the column before the network and the detectors; absent without a trend. */
    trend: Type.Optional(TrendSchema),
    /** As the trend; absent if days do not differ. */
    calendar: Type.Optional(CalendarSchema),
    /** Kinds of points that were labelled as false alarms; absent without any. */
    tolerated: Type.Optional(Type.Array(ToleratedKindSchema, { maxItems: 1000 })),
    /**
     * In the version of a fleet, which has no ensemble: the networks are fitted to standardised series, and `tail` is
     * pooled, too.
     */
    pooled: Type.Optional(PooledTailsSchema),
  },
  strict,
);
export type FeatureNetwork = Stored<typeof FeatureNetworkSchema>;

export const DonutParametersSchema = Type.Object(
  {
    features: Type.Array(FeatureNetworkSchema, { minItems: 1 }),
    /** Absent of one feature, of few points, and in versions of older releases. */
    joint: Type.Optional(JointSchema),
  },
  strict,
);
export type DonutParameters = Stored<typeof DonutParametersSchema>;

/** Networks of a stored version, in the order of its features. */
export function networksOf(model: TrainedModel): readonly FeatureNetwork[] {
  return (model.parameters as DonutParameters).features;
}

/** The joint detector of a stored version; undefined where it has none. */
export function jointOf(model: TrainedModel): Joint | undefined {
  return (model.parameters as DonutParameters).joint;
}

/** The weights of one network: a copy, which can be transferred to a worker, or a view of shared ones. */
export function paramsOf(model: TrainedModel, { offset, size }: FeatureNetwork): Float32Array {
  const { weights } = model;
  const isShared = weights.buffer instanceof SharedArrayBuffer;
  return isShared ? weights.subarray(offset, offset + size) : weights.slice(offset, offset + size);
}
