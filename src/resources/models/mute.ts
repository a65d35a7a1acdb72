// Change of the mute windows of a model, as they are stored at that moment.
import type { ModelView } from "../../api/model.ts";
import { TorusError } from "../../core/errors.ts";
import { parseIfMatch } from "../../core/input/etag.ts";
import type { MuteWindow } from "../../core/model/mute.ts";
import type { Models } from "./index.ts";

/** Attempts where others change the model meanwhile. */
const ATTEMPTS = 3;

/**
 * Reads and changes the windows; again where the settings were changed in between.
 * @returns the windows in force
 * @throws TorusError `not_found`, `invalid`, `precondition_failed` where others change the model all the time
 */
export async function changeMute(
  models: Pick<Models, "get" | "patch">,
  model: string,
  change: (windows: readonly MuteWindow[]) => readonly MuteWindow[],
): Promise<readonly MuteWindow[]> {
  for (let attempt = 1; ; attempt++) {
    const { entries, etag } = await models.get([model]);
    const condition = parseIfMatch(etag!);
    const [{ settings }] = entries as [ModelView];
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
