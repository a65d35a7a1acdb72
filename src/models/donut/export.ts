// Export of a network as an ONNX file, with the metadata that a program needs to use it.

import { buildExport } from "../../../wasm/donut/export.ts";
import { directionsOf } from "../../core/model/feature.ts";
import type { ExportInput, TrainedModel } from "../kind.ts";
import { effectiveThresholds } from "../scoring/detect.ts";
import { DECADES, probabilityOf } from "../scoring/score.ts";
import { MAX_STANDARDISED } from "../series.ts";
import { tailQuantile } from "../stats/tail.ts";
import { assertNetwork } from "./absent-network.ts";
import { describeConditions } from "./condition.ts";
import { type DonutOptions, predictOptions } from "./options.ts";
import { type FeatureNetwork, networksOf, paramsOf } from "./parameters.ts";

const DESCRIPTION = `Scores the last value of each window. To detect as the server does: treat a value whose nll is above
reject_above as missing (NaN) in later windows; an anomaly starts above max_threshold and ends below min_threshold.
Scores are taken at the mean of the latent, as with inference.samples: 0.`;

/** @param input whose `feature` is one of the version. @throws TorusError `not_supported` without a network */
export function exportNetwork(model: TrainedModel, input: ExportInput, options: DonutOptions): Uint8Array {
  const network = networksOf(model).find(({ name }) => name === input.feature)!;
  assertNetwork(network);
  const feature = input.settings.features.find(({ name }) => name === input.feature);
  const { shape, standardisation, tail } = network;
  const { iterations, seed } = predictOptions(options);
  return buildExport({
    shape,
    params: paramsOf(model, network),
    standardisation: { ...standardisation, limit: MAX_STANDARDISED },
    tail,
    counts: directionsOf(feature),
    decades: DECADES,
    iterations,
    seed,
    about: {
      producerVersion: input.producerVersion,
      description: DESCRIPTION.replaceAll("\n", " "),
      properties: { ...input.properties, ...describeNetwork(network, input), ...describeColumn(feature) },
    },
  });
}

function describeNetwork(
  { name, shape, standardisation, tail, loss, conditions }: FeatureNetwork,
  { settings }: ExportInput,
): Record<string, string> {
  const { max, min } = effectiveThresholds(settings);
  const rejectAbove = tailQuantile(tail, probabilityOf(max)) + Math.log(standardisation.deviation);
  return {
    feature: name,
    span: String(shape.window),
    mean: String(standardisation.mean),
    deviation: String(standardisation.deviation),
    calibration: JSON.stringify(tail),
    max_threshold: String(max),
    min_threshold: String(min),
    reject_above: String(rejectAbove),
    loss: String(loss),
    ...describeConditions(conditions),
  };
}

/** Source of the values of a window. */
function describeColumn(feature: ExportInput["settings"]["features"][number] | undefined) {
  if (!feature) return {};
  const { metric, field, query, budget, default: fallback = null } = feature;
  const plain = { metric: metric ?? "", field: field ?? "" };
  const source = budget ? { budget: JSON.stringify(budget) } : query ? { query } : plain;
  return { ...source, anomaly_type: directionsOf(feature), default: String(fallback) };
}
