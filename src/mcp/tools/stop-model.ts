// Tool `stop_model`: switches live detection off; nothing is deleted.
import { Type } from "@sinclair/typebox";
import { modelArgument } from "../arguments.ts";
import { defineTool } from "../tool.ts";

export const stopModel = defineTool({
  name: "stop_model",
  title: "Stop live detection",
  description:
    "Ends live detection of a model: nothing is detected and nobody is notified until it is started again. An anomaly in " +
    "progress is closed. To keep detecting without notifications, mute it instead.",
  scope: "run",
  effect: "takes",
  isIdempotent: false,
  input: Type.Object({ model: modelArgument }, { additionalProperties: false }),
  run: async ({ model }, { live }) => {
    await live.stopAll([model]);
    return { summary: `Model ${model} is no longer live.`, data: { model, live: false } };
  },
});
