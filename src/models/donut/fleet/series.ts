// Stored parameters of one series of a fleet, and the model that they make with the fleet's networks; pure.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../../core/errors.ts";
import { check } from "../../../core/input/schema.ts";
import { type Memory, namesOf } from "../../detectors/types.ts";
import { checkForecast } from "../../forecasters/parameters.ts";
import { checkJoint } from "../../joint/joint.ts";
import type { ForeignVersion, KindMemory, SeriesFit, TrainedModel } from "../../kind.ts";
import { checkTail } from "../../stats/tail.ts";
import { type Stored, sizeUpTo, strict } from "../../stored-schema.ts";
import { checkEnsemble } from "../check.ts";
import { memoryOfFeature } from "../feature-score.ts";
import { jointMemoryOf } from "../joint/score.ts";
import {
  DonutParametersSchema,
  type FeatureNetwork,
  FeatureNetworkSchema,
  networksOf,
} from "../parameters.ts";

/** What the fleet's version holds, not each series. */
const SHARED = ["offset", "size", "shape", "conditions", "pooled"] as const;

const SeriesFeatureSchema = Type.Object(
  {
    ...Type.Omit(FeatureNetworkSchema, [...SHARED]).properties,
    /** Window of the linear detector, of a series that is too short for the network; absent: the network's. */
    window: Type.Optional(sizeUpTo(10_000)),
  },
  strict,
);
export type SeriesFeature = Stored<typeof SeriesFeatureSchema>;

export const SeriesParametersSchema = Type.Object(
  {
    features: Type.Array(SeriesFeatureSchema, { minItems: 1 }),
    /** As in the version of a model. */
    joint: DonutParametersSchema.properties.joint,
  },
  strict,
);
export type SeriesParameters = Stored<typeof SeriesParametersSchema>;

/** The model of one series; shares the weights of the fleet. */
export function modelOfSeries(shared: TrainedModel, parameters: SeriesFit["parameters"]): TrainedModel {
  const { features, joint } = parameters as SeriesParameters;
  const networks = networksOf(shared).map((network, i) => networkOfSeries(network, features[i]!));
  const own = { features: networks, ...(joint && { joint }) };
  return { weights: shared.weights, parameters: own, summary: shared.summary };
}

/** The network of one feature with what was fitted to the series. */
export function networkOfSeries(network: FeatureNetwork, { window, ...own }: SeriesFeature): FeatureNetwork {
  const { shape, offset, size, conditions } = network;
  if (window !== undefined) return { ...own, shape: { window, hidden: 1, latent: 1 }, offset, size: 0 };
  return { ...own, shape, offset, size, ...(conditions && { conditions }) };
}

/** The parameters without the end of the training and the ranks that a memory of their evaluation goes on from. */
export function dropRemembered(
  parameters: SeriesFit["parameters"],
  memory: KindMemory,
): SeriesFit["parameters"] {
  const { features, joint } = parameters as SeriesParameters;
  const isRemembered = joint && jointMemoryOf({ memory }, features[0]!) !== undefined;
  return {
    features: features.map((feature) => {
      const remembered = memoryOfFeature({ memory }, feature);
      return remembered?.history === undefined ? feature : withoutRemembered(feature, remembered);
    }),
    ...(joint && { joint: isRemembered ? { ...joint, ranks: [] } : joint }),
  };
}

function withoutRemembered(
  { ensemble, ...feature }: SeriesFeature,
  { ranks }: Pick<Memory, "ranks">,
): SeriesFeature {
  if (!ensemble) return feature;
  const { history: _, detectors, ...rest } = ensemble;
  const fits = namesOf(ensemble).map((name) => {
    const fit = detectors[name]!;
    return [name, ranks[name] === undefined ? fit : { ...fit, ranks: [] }] as const;
  });
  return { ...feature, ensemble: { ...rest, detectors: Object.fromEntries(fits) } };
}

/** @throws TorusError `invalid` with a path below `parameters` */
export function checkSeries({ settings }: ForeignVersion, parameters: SeriesFit["parameters"]): void {
  const { features, joint } = check(SeriesParametersSchema, parameters, "parameters");
  const { length } = settings.features;
  if (features.length !== length)
    throw invalid("parameters.features", `are ${features.length}, the settings have ${length} features`);
  checkJoint(joint, length);
  for (const [i, { name, tail, ensemble, forecast }] of features.entries()) {
    const path = `parameters.features.${i}`;
    const needed = settings.features[i]!.name;
    if (name !== needed)
      throw invalid(`${path}.name`, `must be ${needed}, as in the settings of the version`);
    checkTail(tail, `${path}.tail`);
    checkEnsemble(ensemble, `${path}.ensemble`);
    if (forecast) checkForecast(forecast, `${path}.forecast`);
  }
}
