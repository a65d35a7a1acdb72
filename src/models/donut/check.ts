// Checks of imported versions: schema, sizes, offsets and finite weights.
import { parameterCount } from "../../../wasm/donut/layout.ts";
import { invalid } from "../../core/errors.ts";
import { check } from "../../core/input/schema.ts";
import { checkForecast } from "../forecasters/parameters.ts";
import { checkJoint } from "../joint/joint.ts";
import type { ForeignVersion } from "../kind.ts";
import { checkTail } from "../stats/tail.ts";
import { isNetworkAbsent } from "./absent-network.ts";
import { conditionSize } from "./condition.ts";
import { DonutParametersSchema, type FeatureNetwork } from "./parameters.ts";
import { longestWindow } from "./search.ts";

/** @throws TorusError `invalid` with a path below `parameters`, or `weights` */
export function checkVersion({ settings, parameters, weights }: ForeignVersion): void {
  const { features, joint } = check(DonutParametersSchema, parameters, "parameters");
  const names = settings.features.map(({ name }) => name);
  const { timezone = "UTC" } = settings;
  if (features.length !== names.length)
    throw invalid(
      "parameters.features",
      `has ${features.length} networks, the settings ${names.length} features`,
    );
  let offset = 0;
  for (const [i, network] of features.entries()) {
    const path = `parameters.features.${i}`;
    checkWindow(network, settings, path);
    checkNetwork(network, { path, name: names[i]!, offset, timezone });
    offset += network.size;
  }
  checkJoint(joint, features.length);
  if (weights.length !== offset)
    throw invalid("weights", `are ${weights.length} numbers, the networks have ${offset}`);
  const broken = weights.findIndex((weight) => !Number.isFinite(weight));
  if (broken >= 0) throw invalid("weights", `number ${broken} is not finite`);
}

/** A window must not exceed the span of the settings, by which the history of a model is limited. */
function checkWindow(
  network: FeatureNetwork,
  { span, min_span: min, max_span: max }: ForeignVersion["settings"],
  path: string,
): void {
  const { window } = network.shape;
  if (isNetworkAbsent(network)) return;
  const most = typeof span === "number" ? span : longestWindow(min, max);
  if (window <= most) return;
  const way = "as the span of the version's settings allows";
  throw invalid(`${path}.shape.window`, `must be at most ${most}, ${way}`);
}

interface Expected {
  readonly path: string;
  readonly name: string;
  readonly offset: number;
  readonly timezone: string;
}

function checkNetwork(network: FeatureNetwork, expected: Expected): void {
  const { name, shape, offset, size, tail, ensemble, forecast } = network;
  const { path } = expected;
  if (name !== expected.name)
    throw invalid(`${path}.name`, `must be ${expected.name}, as in the settings of the version`);
  checkConditions(network, expected);
  const needed = isNetworkAbsent(network) && (ensemble || network.pooled) ? 0 : parameterCount(shape);
  if (size !== needed) throw invalid(`${path}.size`, `must be ${needed}, which is what its shape needs`);
  if (offset !== expected.offset)
    throw invalid(`${path}.offset`, `must be ${expected.offset}, where the network before it ends`);
  checkTail(tail, `${path}.tail`);
  for (const [detector, pooled] of Object.entries(network.pooled?.detectors ?? {}))
    checkTail(pooled, `${path}.pooled.detectors.${detector}`);
  checkEnsemble(ensemble, `${path}.ensemble`);
  if (forecast) checkForecast(forecast, `${path}.forecast`);
}

/** Conditions must have the size of the network's input, and the time zone of the version. */
function checkConditions(
  { conditions, shape }: FeatureNetwork,
  { path, timezone }: Pick<Expected, "path" | "timezone">,
): void {
  const needed = conditionSize(conditions);
  if ((shape.condition ?? 0) !== needed)
    throw invalid(`${path}.shape.condition`, `must be ${needed || "absent"}, as conditions says`);
  if (conditions && conditions.timezone !== timezone)
    throw invalid(`${path}.conditions.timezone`, `must be ${timezone}, as in the settings of the version`);
}

/** Arrays of one component must have equal lengths. */
export function checkEnsemble(ensemble: FeatureNetwork["ensemble"], path: string): void {
  if (!ensemble) return;
  const { seasonal, linear } = ensemble;
  if (seasonal.counts.length !== seasonal.values.length)
    throw invalid(`${path}.seasonal.counts`, "must be as many as values");
  if ([linear.mean, ...linear.components].some((list) => list.length !== linear.window))
    throw invalid(`${path}.linear`, "mean and components must be as long as window");
}
