// Tool `show_model`: settings, training and live detection of one model.
import { Type } from "@sinclair/typebox";
import type { ModelView } from "../../api/model.ts";
import { stateOfModel } from "../../core/model/model-state.ts";
import { modelArgument } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { showModel } from "../views/model.ts";

export const showModelTool = defineTool({
  name: "show_model",
  title: "Show a model",
  description:
    "One model: its settings (buckets, features, interval, mute windows), what the last training learned, thresholds, " +
    "the progress of a running training, and live detection with the last evaluations, errors and advice.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object({ model: modelArgument }, { additionalProperties: false }),
  run: async ({ model }, { models }) => {
    const [view] = (await models.get([model])).entries as [ModelView];
    return { summary: `Model ${model} is in state ${stateOfModel(view)}.`, data: showModel(view) };
  },
});
