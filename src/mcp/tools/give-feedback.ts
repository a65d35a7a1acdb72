// Tool `give_feedback`: the verdict of a person on an anomaly, which the next training uses.
import { Type } from "@sinclair/typebox";
import { FeedbackInput } from "../../core/anomaly/feedback.ts";
import { defineTool } from "../tool.ts";

export const giveFeedback = defineTool({
  name: "give_feedback",
  title: "Give feedback on an anomaly",
  description:
    "Stores whether an anomaly was one or a false alarm, with a note. The next training leaves real anomalies out, and " +
    "learns to tolerate false alarms. A later verdict replaces an earlier one. Give it where a person has said so.",
  scope: "run",
  effect: "adds",
  isIdempotent: true,
  input: Type.Object(
    {
      id: Type.String({ minLength: 1, maxLength: 256, description: "Id of the anomaly" }),
      ...FeedbackInput.properties,
    },
    { additionalProperties: false },
  ),
  run: async ({ id, ...feedback }, { anomalies }) => {
    const { model } = await anomalies.get(id);
    await anomalies.judge(model, id, feedback);
    const verdict = feedback.anomaly ? "an anomaly" : "a false alarm";
    return { summary: `Noted: ${verdict} of model ${model}.`, data: { id, model, ...feedback } };
  },
});
