// Tool `list_models`: models by the attention that is due, worst first.
import { Type } from "@sinclair/typebox";
import type { ModelView } from "../../api/model.ts";
import type { Listed } from "../../core/input/listed.ts";
import { oneOfWords } from "../../core/input/words.ts";
import { type ModelStateName, modelStates } from "../../core/model/model-state.ts";
import { describePage, pageArguments, pagingOf } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { lineOfModel } from "../views/model.ts";
import { countOf } from "../views/values.ts";

export const listModels = defineTool({
  name: "list_models",
  title: "List models",
  description:
    "What is watched: all models with state, last score and the anomaly in progress, worst first. States: anomaly, " +
    "failing, no_data (live, its points have stopped), training, learning, live, stopped (trained, not live), untrained.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object(
    {
      state: Type.Optional(
        Type.Array(oneOfWords(modelStates, { rule: `must be one of ${modelStates.join(", ")}` }), {
          minItems: 1,
          maxItems: modelStates.length,
          description: "Only models in one of these states",
        }),
      ),
      name_contains: Type.Optional(Type.String({ maxLength: 256, description: "Part of the name" })),
      ...pageArguments,
    },
    { additionalProperties: false },
  ),
  run: async ({ state, name_contains: q, ...given }, { models }) => {
    const paging = pagingOf(given);
    const sort = "state:1";
    const found = await models.list({ state: state?.join(";"), q, sort, ...paging });
    const listed = found as Listed<ModelView[]>;
    const list = listed.entries;
    const counts = listed.states ?? new Map<ModelStateName, number>();
    const place = describePage(listed, paging);
    const byState = [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
    return {
      summary: `${countOf(place.total, "model")}, ${list.length} on this page; by state: ${byState || "none"}.`,
      data: { models: list.map(lineOfModel), ...place, models_by_state: Object.fromEntries(counts) },
    };
  },
});
