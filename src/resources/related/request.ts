// Parameters of requests for related series.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";

/** Entries of an answer without `limit`, and most. */
const DEFAULT_RELATED = 10;
const MAX_RELATED = 100;

export const relatedParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RELATED,
      default: DEFAULT_RELATED,
      description: "Maximum number of related series",
    }),
  ),
};

export const relatedRange = {
  from: date("Start of the range in which they began to deviate (required)"),
  to: date("End, exclusive (default: now)"),
  tags: Type.Optional(
    Type.String({ description: "Only series with these tags, as in `host:a,cpu:0`", maxLength: 4096 }),
  ),
};
