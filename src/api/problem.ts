// Schemas of errors: RFC 9457 problem details, and the form that InfluxDB clients expect.
import { Type } from "@sinclair/typebox";
import { errorCodes } from "../core/errors.ts";
import { optional } from "../core/input/optional.ts";
import { oneOfWords } from "../core/input/words.ts";
import type { Shown } from "./shown.ts";

export const Problem = Type.Object(
  {
    type: Type.Literal("about:blank"),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: "The problem, the rule and the remedy" }),
    error: Type.String({ description: "Same as `detail`" }),
    code: oneOfWords(errorCodes, { description: "Stable; later versions may have more" }),
    path: optional.text("Place in the request, for example `features.0.metric`"),
    errors: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: "Invalid fields, up to 10; that of `path` first",
      }),
    ),
    request_id: optional.text("Of a 500: id of the details in the log"),
  },
  {
    $id: "Problem",
    additionalProperties: true,
    description:
      "RFC 9457 problem details, with the same text under `error` for older clients; further keys depend on the code, for example `job_id` of `training_active`",
  },
);
export type ProblemView = Shown<typeof Problem>;

export const LineProblem = Type.Object(
  {
    error: optional.text("Answer of `/write` and `/query`"),
    code: optional.text("Answer of `/api/v2/write`"),
    message: optional.text("Answer of `/api/v2/write`"),
  },
  { $id: "LineProblem", description: "An error as InfluxDB 1 and 2 answer it" },
);

export const StatementResults = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        statement_id: Type.Integer(),
        series: Type.Optional(
          Type.Array(
            Type.Object({
              name: Type.String(),
              columns: Type.Array(Type.String()),
              values: Type.Array(Type.Array(Type.String())),
            }),
          ),
        ),
      }),
    ),
  },
  { $id: "StatementResults", description: "Results of statements of `/query`" },
);
