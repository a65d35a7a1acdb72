// Mute windows of single models as windows of their fleet: common ones once, others limited to their series.
import type { SeriesTags } from "../fleet.ts";
import type { ModelSettings } from "../model.ts";
import type { MuteWindow } from "../mute.ts";
import { canonical } from "./shape.ts";

/** As the schemas of `mute` and of its `series` allow. */
const MAX_WINDOWS = 64;
const MAX_GLOB = 1024;

interface Muted {
  readonly model: string;
  readonly series: SeriesTags;
  readonly settings: Pick<ModelSettings, "mute">;
}

/**
 * Merges the mute windows of models.
 * @returns the windows of the fleet, and the models with windows that it cannot have, with the reason
 */
export function mergeMutes(models: readonly Muted[]): {
  readonly windows: readonly MuteWindow[];
  readonly uncopied: readonly { readonly model: string; readonly reason: string }[];
} {
  const owners = new Map<string, Set<Muted>>();
  for (const model of models)
    for (const window of model.settings.mute ?? []) {
      const key = canonical(window);
      owners.set(key, (owners.get(key) ?? new Set()).add(model));
    }
  const windows: MuteWindow[] = [];
  const own = new Map<Muted, MuteWindow[]>();
  for (const [key, muted] of owners) {
    const window = JSON.parse(key) as MuteWindow;
    if (muted.size === models.length) windows.push(window);
    else for (const model of muted) own.set(model, [...(own.get(model) ?? []), window]);
  }
  const uncopied: { model: string; reason: string }[] = [];
  for (const [{ model, series }, list] of own) {
    const reason = refusalOf(series, windows.length + list.length);
    if (reason === undefined) windows.push(...list.map((window) => ({ ...window, series: { ...series } })));
    else uncopied.push({ model, reason });
  }
  return { windows, uncopied };
}

/** Globs have no escape: a star in a value would mute other series, too. */
function refusalOf(series: SeriesTags, windows: number): string | undefined {
  const unfit = Object.entries(series).find(
    ([, value]) => value === "" || value.includes("*") || value.length > MAX_GLOB,
  );
  if (unfit) return `a mute window cannot name the value of tag ${unfit[0]}`;
  return windows > MAX_WINDOWS ? `a model has at most ${MAX_WINDOWS} mute windows` : undefined;
}
