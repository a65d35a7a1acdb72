// Global hooks that notify about a model, and selectors in words.
import { useEffect } from "preact/hooks";
import type { HookStateView } from "../../../api/hook.ts";
import type { ModelView } from "../../../api/model.ts";
import { selectsModel } from "../../../core/anomaly/selects-model.ts";
import type { Feature } from "../../../core/model/feature.ts";
import { nameOf } from "../../lib/model-state.ts";
import { hookStates } from "../../state/hooks.ts";
import { texts } from "../../state/preferences.ts";

const POLL_MS = 10_000;

/** The states of hooks, kept up to date while the screen is shown. */
export function useHookStates() {
  useEffect(() => hookStates.follow(POLL_MS, ["delivery", "model"]), []);
  return hookStates.loaded.value;
}

/** Global hooks that select a model, or some series of a fleet; undefined until they are read. */
export function useGlobalHooks(model: ModelView): readonly HookStateView[] | undefined {
  const settings = model.settings as {
    readonly features?: readonly Feature[];
    readonly group_by?: readonly string[];
  };
  const { features = [], group_by = [] } = settings;
  const { value, problem } = useHookStates();
  if (!value) return problem && [];
  return value.filter(({ model: owner, selector = {} }) => {
    if (owner !== undefined) return false;
    // A value of a tag of the fleet: some series may have it.
    const series = Object.fromEntries(group_by.map((tag) => [tag, selector.tags?.[tag] ?? ""]));
    return selectsModel(selector, { name: nameOf(model), features, series });
  });
}

/** `cpu-*, host=web-*` */
export function describeSelector({ models = [], tags = {} }: HookStateView["selector"] = {}): string {
  const all = [...models, ...Object.entries(tags).map(([tag, glob]) => `${tag}=${glob}`)];
  return all.join(", ") || texts.value.allHooks.everyModel;
}
