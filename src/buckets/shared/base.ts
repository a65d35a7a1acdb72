// Legacy settings that every kind of bucket accepts besides `name` and `type`.
import { Type } from "@sinclair/typebox";

export const baseSettings = Type.Object({
  max_series_per_request: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 2000,
      description: "Legacy: series per request to the data source; kept",
      rule: "must be a whole number, at least 1",
    }),
  ),
  timestamp_field: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()], {
      description: "Field or column that holds the time, where the kind has one",
      rule: "must be the name of a field, or null",
    }),
  ),
});
