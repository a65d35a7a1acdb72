// What a trained Donut version remembers beside its weights: one network per feature.
import type { DonutShape } from "../../../wasm/protocol.ts";
import type { ToleratedKind } from "../detectors/tolerance.ts";
import type { Ensemble } from "../detectors/types.ts";
import type { ForecastParameters } from "../forecasters/parameters.ts";
import type { TrainedModel } from "../kind.ts";
import type { Standardisation } from "../series.ts";
import type { Tail } from "../stats/tail.ts";
import type { Conditions } from "./condition.ts";

export interface FeatureNetwork {
  readonly name: string;
  readonly shape: DonutShape;
  /** Place of its parameters in the version's flat weights. */
  readonly offset: number;
  readonly size: number;
  readonly standardisation: Standardisation;
  /** What makes up `shape.condition`; absent where there is none. */
  readonly conditions?: Conditions;
  /** Tail of the nll of normal points, among those that deviate in a direction that counts. */
  readonly tail: Tail;
  /** What forecasts are made of; absent in versions trained before there was a choice. */
  readonly forecast?: ForecastParameters;
  /** In versions without `forecast`: factor that makes the network's own band hold what it promises. */
  readonly forecastWidening?: number;
  /** Negative ELBO per point on the validation part, nats. */
  readonly loss: number;
  /** The companions and how they are combined; absent in versions trained before there were any. */
  readonly ensemble?: Ensemble;
  /** Of the false alarms that people have spoken of; absent where there are none. */
  readonly tolerated?: readonly ToleratedKind[];
}

export interface DonutParameters extends Record<string, unknown> {
  readonly features: readonly FeatureNetwork[];
}

/** Networks of a stored version, in the order of its features. */
export function networksOf(model: TrainedModel): readonly FeatureNetwork[] {
  return (model.parameters as DonutParameters).features;
}

/** A copy of the weights of one network: it can be handed over to a worker. */
export function paramsOf(model: TrainedModel, network: FeatureNetwork): Float32Array {
  return model.weights.slice(network.offset, network.offset + network.size);
}
