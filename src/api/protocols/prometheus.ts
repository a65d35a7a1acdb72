// Schemas of Prometheus's HTTP API: answers with a status, and errors with a type.
import { Type } from "@sinclair/typebox";
import { oneOfWords } from "../../core/input/words.ts";

const errorTypes = [
  "bad_data",
  "execution",
  "canceled",
  "timeout",
  "unavailable",
  "not_found",
  "unauthorized",
  "forbidden",
  "internal",
] as const;
export type PrometheusErrorType = (typeof errorTypes)[number];

export const PrometheusProblem = Type.Object(
  {
    status: Type.Literal("error"),
    errorType: oneOfWords(errorTypes),
    error: Type.String({ description: "The problem, the rule and the remedy" }),
  },
  { $id: "PrometheusProblem", description: "An error as Prometheus answers it" },
);

export const RemoteWriteProblem = Type.String({
  $id: "RemoteWriteProblem",
  description: "The problem, the rule and the remedy",
});

const answer = <T extends Parameters<typeof Type.Object>[0][string]>(data: T) =>
  Type.Object({ status: Type.Literal("success"), data });

const Sample = Type.Array(Type.Union([Type.Number(), Type.String()]), {
  minItems: 2,
  maxItems: 2,
  description: "Seconds since the epoch, and a number as text, `NaN`, `+Inf` or `-Inf`",
});
const LabelSet = Type.Record(Type.String(), Type.String(), { description: "`__name__` among the labels" });

const Result = answer(
  Type.Object({
    resultType: oneOfWords(["vector", "matrix", "scalar", "string"]),
    result: Type.Union([
      Type.Array(
        Type.Object({
          metric: LabelSet,
          value: Type.Optional(Sample),
          values: Type.Optional(Type.Array(Sample)),
        }),
      ),
      Sample,
    ]),
  }),
);

export const PrometheusResult = Type.Composite([
  Result,
  Type.Object({
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: "Data sources that failed, whose series are missing" }),
    ),
  }),
]);

export const PrometheusSeries = answer(Type.Array(LabelSet));
export const PrometheusTexts = answer(Type.Array(Type.String()));
export const PrometheusText = answer(Type.String());
export const PrometheusTree = answer(
  Type.Object({ type: Type.String() }, { additionalProperties: true, description: "Root of the tree" }),
);
export const PrometheusMetadata = answer(
  Type.Record(
    Type.String(),
    Type.Array(Type.Object({ type: Type.String(), help: Type.String(), unit: Type.String() })),
  ),
);
export const PrometheusBuild = answer(
  Type.Object({
    version: Type.String({ description: "Version of Prometheus whose rules the evaluation follows" }),
    revision: Type.String({ description: "Version of this server" }),
    branch: Type.String(),
    buildUser: Type.String(),
    buildDate: Type.String(),
    goVersion: Type.String(),
  }),
);
const nothing = (description: string) => Type.Array(Type.Unknown(), { maxItems: 0, description });
export const PrometheusRules = answer(Type.Object({ groups: nothing("There are no rules") }));
export const PrometheusAlerts = answer(Type.Object({ alerts: nothing("There are no rules") }));
export const PrometheusExemplars = answer(nothing("Exemplars are not stored"));
