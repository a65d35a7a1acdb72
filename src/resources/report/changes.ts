// Changes of a report: those that incidents followed, and how many none did.
import type { ReportedIncidentView, ReportView } from "../../api/server/report.ts";
import type { Range } from "../../core/series/grid.ts";

const MAX_FOLLOWED = 10;

/**
 * @param incidents the worst first
 * @param total changes that began in the range
 */
export function countFollowed(
  incidents: readonly ReportedIncidentView[],
  total: number,
  { fromAt }: Pick<Range, "fromAt">,
): ReportView["changes"] {
  const explained = incidents.filter(({ change }) => change !== undefined);
  const byChange = [...Map.groupBy(explained, ({ change }) => change!.id).values()];
  const followed = byChange.map((after) => {
    const [{ change, summary, worst }] = after as [ReportedIncidentView];
    const { id, kind, title, url, at } = change!;
    const told = { incidents: after.length, summary, worst };
    return { id, kind, title, ...(url !== undefined && { url }), at, ...told };
  });
  const bad = followed.filter(({ at }) => at * 1000 >= fromAt).length;
  return { total, good: Math.max(0, total - bad), followed: followed.slice(0, MAX_FOLLOWED) };
}
