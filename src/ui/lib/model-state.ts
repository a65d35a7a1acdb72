// Texts of a model in lists: its name and source, and the counts of states; pure.
import type { ModelView } from "../../api/model.ts";
import { formatDuration } from "./format.ts";

/** Models by state: `failing=2, live=40` of the header `X-State-Counts`. */
export function parseCounts(header: string | null): ReadonlyMap<string, number> {
  const pairs = header?.split(", ").filter(Boolean) ?? [];
  return new Map(pairs.map((pair) => pair.split("=")).map(([state, n]) => [state!, Number(n)]));
}

export function nameOf({ settings }: ModelView): string {
  return String(settings.name);
}

/** `bucket · metric(field) · interval` of a model; of a fleet with its tags. */
export function sourceOf({ settings }: ModelView): string {
  const features = settings.features as readonly {
    metric?: string;
    field?: string;
    query?: string;
    name: string;
  }[];
  const [first, ...others] = features;
  const what = first?.field ? `${first.metric}(${first.field})` : first?.name;
  const more = others.length > 0 ? ` +${others.length}` : "";
  const length = formatDuration(settings.bucket_interval);
  const tags = (settings.group_by as readonly string[] | undefined)?.join(" × ");
  return [settings.default_bucket, `${what}${more}`, length, tags].filter(Boolean).join(" · ");
}
