// Schemas of buckets: a component per kind, by `type`; results of tests and explorations.
import { type TObject, Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { describeKinds, type KindSchemas } from "./kinds.ts";
import { NullableNumber, type Shown } from "./shown.ts";

/** @param kinds full schema of each kind, with the secret keys, which answers omit */
export function describeBuckets(kinds: KindSchemas) {
  return describeKinds("Bucket", kinds, (schema: TObject) => schema.properties);
}

export const BucketChange = Type.Record(Type.String(), Type.Unknown(), {
  $id: "BucketChange",
  description: "Settings to change; null removes an optional one, `name` and `type` stay",
});

export const Point = Type.Object(
  {
    timestamp: Type.Union([Type.Number(), Type.String()], { description: "Seconds, or ISO 8601" }),
    tags: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  {
    $id: "Point",
    additionalProperties: true,
    description: "Every other key is a field: number, string, boolean or null",
  },
);

export const BucketTest = Type.Object(
  {
    ok: Type.Boolean(),
    duration: Type.Number({ description: "Seconds it took" }),
    version: optional.text("Of the data source"),
    series: optional.integer("Number of series"),
    newest_date: Type.Optional(Type.String({ format: "date-time" })),
    newest_timestamp: Type.Optional(NullableNumber),
    code: optional.text("Error code, if the test failed"),
    error: Type.Optional(Type.String()),
  },
  { $id: "BucketTest" },
);
export type BucketTestView = Shown<typeof BucketTest>;

export const BucketContent = Type.Object(
  {
    measurements: Type.Array(
      Type.Object({
        name: Type.Union([Type.String(), Type.Null()]),
        fields: Type.Array(
          Type.Object({
            name: Type.String(),
            type: Type.Optional(Type.String()),
            kind: optional.text(
              "What the source says of it: `counter`, `gauge`, `histogram`, `summary`, ...",
            ),
            unit: optional.text("Of its points: what the source says, or the name; absent: not known"),
            tags: Type.Optional(
              Type.Array(Type.String(), {
                description: "Tags of its series; absent: those of the measurement",
              }),
            ),
          }),
        ),
        tags: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Type.String()) })),
        first_timestamp: Type.Optional(NullableNumber),
        last_timestamp: Type.Optional(NullableNumber),
      }),
    ),
    truncated: Type.Boolean({
      description: "The list is incomplete: use `search`, or request the next page",
    }),
  },
  { $id: "BucketContent" },
);
export type BucketContentView = Shown<typeof BucketContent>;
