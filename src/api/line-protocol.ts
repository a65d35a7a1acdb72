// Answers of InfluxDB's write API: errors, and results of statements.
import { Type } from "@sinclair/typebox";

export const LineProblem = Type.Object(
  {
    error: Type.Optional(Type.String({ description: "Answer of `/write` and `/query`" })),
    code: Type.Optional(Type.String({ description: "Answer of `/api/v2/write`" })),
    message: Type.Optional(Type.String({ description: "Answer of `/api/v2/write`" })),
  },
  { $id: "LineProblem", description: "An error as InfluxDB 1 and 2 answer it" },
);

export const StatementResults = Type.Object(
  { results: Type.Array(Type.Object({ statement_id: Type.Integer() })) },
  { $id: "StatementResults", description: "Results of statements of `/query`" },
);
