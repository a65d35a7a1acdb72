// Checks a version that comes from elsewhere: nothing of it is believed before sizes, places and numbers fit.
import { Type } from "@sinclair/typebox";
import { parameterCount } from "../../../wasm/donut/layout.ts";
import { invalid } from "../../core/errors.ts";
import { check } from "../../core/input/schema.ts";
import { checkForecast, ForecastSchema } from "../forecasters/parameters.ts";
import type { ForeignVersion } from "../kind.ts";
import { conditionNames, conditionSize, MAX_HARMONICS } from "./condition.ts";
import type { DonutParameters, FeatureNetwork } from "./parameters.ts";
import { longestWindow } from "./search.ts";

/** Longest window of a version that arrives: each evaluation reads as many intervals of history. */
const MAX_WINDOW = 100_000;

const strict = { additionalProperties: false };
const positive = Type.Number({ exclusiveMinimum: 0, rule: "must be a number above 0" });
const size = (maximum: number) =>
  Type.Integer({ minimum: 1, maximum, rule: `must be a whole number from 1 to ${maximum}` });

const numbers = (maxItems: number) => Type.Array(Type.Number(), { maxItems });
const Tail = Type.Object(
  {
    quantiles: Type.Array(Type.Number(), { minItems: 1, maxItems: 10_000 }),
    share: Type.Number({ exclusiveMinimum: 0, maximum: 1, rule: "must be above 0 and at most 1" }),
    threshold: Type.Number(),
    shape: Type.Number({ minimum: 0, maximum: 10, rule: "must be a number from 0 to 10" }),
    scale: positive,
  },
  strict,
);
const Detector = Type.Object(
  {
    weight: Type.Number({ minimum: 0, maximum: 1, rule: "must be a number from 0 to 1" }),
    tail: Tail,
    ranks: Type.Array(
      Type.Tuple([Type.Integer({ minimum: 0, maximum: 1199 }), Type.Number({ minimum: 0 })]),
      {
        maxItems: 1200,
      },
    ),
  },
  strict,
);
const Ensemble = Type.Object(
  {
    detectors: Type.Object({ network: Detector, linear: Detector, seasonal: Detector }, strict),
    seasonal: Type.Object(
      {
        days: Type.Union([Type.Literal(1), Type.Literal(7)], { rule: "must be 1 or 7" }),
        values: Type.Array(Type.Number(), { minItems: 1, maxItems: 10_000 }),
        counts: numbers(10_000),
        scale: positive,
        floor: positive,
        points: Type.Number({ minimum: 0 }),
      },
      strict,
    ),
    agreement: Type.Number({ exclusiveMinimum: 0, maximum: 1, rule: "must be above 0 and at most 1" }),
    linear: Type.Object(
      {
        window: size(10_000),
        center: Type.Number(),
        scale: positive,
        mean: numbers(10_000),
        components: Type.Array(numbers(10_000), { maxItems: 100 }),
      },
      strict,
    ),
  },
  strict,
);
const distance = Type.Number({ minimum: 0 });
const Tolerated = Type.Object(
  {
    type: Type.Union([Type.Literal("low"), Type.Literal("high")], { rule: "must be low or high" }),
    distances: Type.Object({ network: distance, linear: distance, seasonal: distance }, strict),
  },
  strict,
);
const ConditionsSchema = Type.Object(
  {
    names: Type.Array(
      Type.Union(
        conditionNames.map((name) => Type.Literal(name)),
        { rule: `must be one of ${conditionNames.join(", ")}` },
      ),
      { minItems: 1, uniqueItems: true, rule: "must be a list of different names, at least one" },
    ),
    timezone: Type.String(),
    waves: size(MAX_HARMONICS),
  },
  strict,
);
const Network = Type.Object(
  {
    name: Type.String(),
    shape: Type.Object(
      {
        window: size(MAX_WINDOW),
        hidden: size(10_000),
        latent: size(10_000),
        condition: Type.Optional(size(100)),
      },
      strict,
    ),
    conditions: Type.Optional(ConditionsSchema),
    offset: Type.Integer({ minimum: 0 }),
    size: Type.Integer({ minimum: 1 }),
    standardisation: Type.Object({ mean: Type.Number(), deviation: positive }, strict),
    tail: Tail,
    forecastWidening: Type.Optional(positive),
    forecast: Type.Optional(ForecastSchema),
    loss: Type.Number(),
    ensemble: Type.Optional(Ensemble),
    tolerated: Type.Optional(Type.Array(Tolerated, { maxItems: 1000 })),
  },
  strict,
);
const Parameters = Type.Object({ features: Type.Array(Network, { minItems: 1 }) }, strict);

/** @throws TorusError `invalid` with a path below `parameters`, or `weights` */
export function checkVersion({ settings, parameters, weights }: ForeignVersion): void {
  check(Parameters, parameters, "parameters");
  const { features } = parameters as DonutParameters;
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
  if (weights.length !== offset)
    throw invalid("weights", `are ${weights.length} numbers, the networks have ${offset}`);
  const broken = weights.findIndex((weight) => !Number.isFinite(weight));
  if (broken >= 0) throw invalid("weights", `number ${broken} is not finite`);
}

/** A window longer than the settings ask for would read, and hold, more than the model is known to need. */
function checkWindow(
  { shape: { window } }: FeatureNetwork,
  { span, min_span: min, max_span: max }: ForeignVersion["settings"],
  path: string,
): void {
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
  const needed = parameterCount(shape);
  if (size !== needed) throw invalid(`${path}.size`, `must be ${needed}, which is what its shape needs`);
  if (offset !== expected.offset)
    throw invalid(`${path}.offset`, `must be ${expected.offset}, where the network before it ends`);
  if (tail.quantiles.some((quantile, i) => i > 0 && quantile < tail.quantiles[i - 1]!))
    throw invalid(`${path}.tail.quantiles`, "must be ascending");
  checkEnsemble(ensemble, `${path}.ensemble`);
  if (forecast) checkForecast(forecast, `${path}.forecast`);
}

/** Their numbers are as many as the network takes, and their time zone is that of the version. */
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

/** Arrays that belong together are equally long. */
function checkEnsemble(ensemble: FeatureNetwork["ensemble"], path: string): void {
  if (!ensemble) return;
  const { seasonal, linear } = ensemble;
  if (seasonal.counts.length !== seasonal.values.length)
    throw invalid(`${path}.seasonal.counts`, "must be as many as values");
  if ([linear.mean, ...linear.components].some((list) => list.length !== linear.window))
    throw invalid(`${path}.linear`, "mean and components must be as long as window");
}
