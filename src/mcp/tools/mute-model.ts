// Tool `mute_model`: times without notifications; windows are added to those of the model, or replace them.
import { Type } from "@sinclair/typebox";
import type { ModelView } from "../../api/model.ts";
import { TorusError } from "../../core/errors.ts";
import { parseIfMatch, shownEtag } from "../../core/input/etag.ts";
import { MuteWindow } from "../../core/model/mute.ts";
import { modelArgument } from "../arguments.ts";
import { defineTool, type ToolContext } from "../tool.ts";
import { countOf } from "../views/values.ts";

/** Attempts where others change the model meanwhile. */
const ATTEMPTS = 3;

export const muteModel = defineTool({
  name: "mute_model",
  title: "Mute a model",
  description:
    'Times in which the hooks of a model are not notified; detection goes on. Windows come again: {"from": "22:00", "to": ' +
    '"06:00", "weekdays": ["saturday"]} weekly, {"cron": "0 2 * * *", "duration": "3h"} by a schedule. They are added to ' +
    "those of the model; with `replace` they take their place, and an empty list unmutes the model.",
  scope: "admin",
  effect: "takes",
  isIdempotent: true,
  input: Type.Object(
    {
      model: modelArgument,
      windows: Type.Array(MuteWindow, { maxItems: 64, description: "Windows to mute" }),
      replace: Type.Optional(
        Type.Boolean({
          description: "Whether they replace those of the model; default false: they are added",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: async ({ model, windows, replace = false }, context) => {
    const mute = await changeMute(model, context, (old) =>
      replace ? windows : [...old, ...windows.filter((window) => !includes(old, window))],
    );
    return {
      summary: `Model ${model} has ${countOf(mute.length, "mute window")}.`,
      data: { model, mute },
    };
  },
});

function includes(windows: readonly MuteWindow[], window: MuteWindow): boolean {
  return windows.some((each) => Bun.deepEquals(each, window));
}

/** Reads and changes the windows; again where the settings were changed in between. */
async function changeMute(
  model: string,
  { models }: ToolContext,
  change: (windows: readonly MuteWindow[]) => readonly MuteWindow[],
): Promise<readonly MuteWindow[]> {
  for (let attempt = 1; ; attempt++) {
    const shown = (await models.get([model])) as [ModelView];
    const condition = parseIfMatch(shownEtag(shown)!);
    const [{ settings }] = shown;
    const mute = change((settings.mute ?? []) as MuteWindow[]);
    try {
      await models.patch([model], { mute: mute.length > 0 ? mute : null }, condition);
      return mute;
    } catch (error) {
      const isRaced = error instanceof TorusError && error.code === "precondition_failed";
      if (!isRaced || attempt === ATTEMPTS) throw error;
    }
  }
}
