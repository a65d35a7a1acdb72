// Feedback on detected anomalies: schema and check of its request.
import { type Static, Type } from "@sinclair/typebox";
import { coerceStrings } from "../input/coerce.ts";
import { check } from "../input/schema.ts";

/** Request body. */
export const FeedbackInput = Type.Object(
  {
    anomaly: Type.Boolean({
      description: "`true`: an anomaly; `false`: a false alarm",
      rule: "must be true, for an anomaly, or false, for a false alarm",
    }),
    note: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: "Free text",
        rule: "must be a text of at most 4096 characters",
      }),
    ),
  },
  { additionalProperties: false, title: "feedback", $id: "FeedbackInput" },
);

export interface Feedback extends Static<typeof FeedbackInput> {
  /** Time of the feedback, ms since the epoch. */
  readonly at: number;
}

/** @throws TorusError `invalid` */
export function checkFeedback(body: unknown): Static<typeof FeedbackInput> {
  return check(FeedbackInput, coerceStrings(FeedbackInput, body));
}
