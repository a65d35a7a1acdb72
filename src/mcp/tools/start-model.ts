// Tool `start_model`: switches live detection on.
import { Type } from "@sinclair/typebox";
import { startParameters } from "../../resources/live/request.ts";
import { modelArgument } from "../arguments.ts";
import { defineTool } from "../tool.ts";

const { detect_anomalies: detect } = startParameters;

export const startModel = defineTool({
  name: "start_model",
  title: "Start live detection",
  description:
    "Scores every interval of a trained model as it ends, opens anomalies and notifies the hooks of the model. A model " +
    "with detector auto needs no training.",
  scope: "run",
  effect: "adds",
  isIdempotent: true,
  input: Type.Object({ model: modelArgument, detect_anomalies: detect }, { additionalProperties: false }),
  run: async ({ model, detect_anomalies: detects = true }, { live }) => {
    const advice = await live.startAll([model], { detect_anomalies: detects });
    return {
      summary: [`Model ${model} is live.`, ...advice].join(" "),
      data: { model, live: true, detect_anomalies: detects, ...(advice.length > 0 && { advice }) },
    };
  },
});
