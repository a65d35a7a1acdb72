// Changes that concern a model or one of its series, by their tags; pure.
import type { ChangeView } from "../../api/changes/change.ts";
import type { ModelView } from "../../api/model.ts";
import { compareTags, valuesByTag } from "../../core/changes/tags.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { parseTags } from "../../core/model/series-text.ts";

/** Share of the range that a pointer may be beside a change. */
const REACH = 0.01;

/** Those that an anomaly could name, see docs/changes.md. @param series of a fleet, as in `host:a` */
export function concerningChanges(
  changes: readonly ChangeView[],
  { settings }: Pick<ModelView, "settings">,
  series: string | undefined,
): ChangeView[] {
  const features = settings.features as ModelSettings["features"];
  const lists = features.map(({ match_all }) =>
    Object.fromEntries((match_all ?? []).map(({ tag, value }) => [tag, String(value)])),
  );
  const own = valuesByTag(series === undefined ? lists : [...lists, parseTags(series)]);
  return changes.filter(({ tags }) => compareTags(tags, own));
}

/** Those that began at an instant of a chart, or close by. @param at seconds since the epoch */
export function changesAt(
  at: number,
  {
    changes,
    times,
    step,
  }: {
    readonly changes: readonly ChangeView[];
    readonly times: readonly number[];
    readonly step: number;
  },
): ChangeView[] {
  const reach = Math.max(step, REACH * ((times.at(-1) ?? at) - (times[0] ?? at)));
  return changes.filter((change) => Math.abs(change.at - at) <= reach);
}
