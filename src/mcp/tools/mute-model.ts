// Tool `mute_model`: times without notifications; windows are added to those of the model, or replace them.
import { Type } from "@sinclair/typebox";
import { optional } from "../../core/input/optional.ts";
import { MuteWindow } from "../../core/model/mute.ts";
import { changeMute } from "../../resources/models/mute.ts";
import { modelArgument } from "../arguments.ts";
import { defineTool } from "../tool.ts";
import { countOf } from "../views/values.ts";

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
      replace: optional.flag("Whether they replace those of the model; default false: they are added"),
    },
    { additionalProperties: false },
  ),
  run: async ({ model, windows, replace = false }, { models }) => {
    const mute = await changeMute(models, model, (old) =>
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
