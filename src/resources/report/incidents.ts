// Incidents of a report: the worst anomalies of a range in groups, each in words and with the change before it.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { ReportedIncidentView, ReportView } from "../../api/server/report.ts";
import { subjectOf } from "../../core/anomaly/event.ts";
import { strongestOf } from "../../core/anomaly/reports/strongest.ts";
import { severityOf } from "../../core/anomaly/severity.ts";
import {
  groupIncidents,
  type Incident,
  modelsOf,
  spanOfIncident,
  verdictOf,
} from "../../core/report/incidents.ts";
import { findAttributions } from "../../live/episodes/attribution.ts";
import { type AlarmRow, loadEpisodes } from "../../store/anomalies/alarms.ts";
import type { EpisodeRow } from "../../store/anomalies/episodes.ts";
import type { Store } from "../../store/db/open.ts";
import { viewEpisode } from "../anomalies.ts";
import { viewAttribution } from "../changes.ts";
import { summarizeAnomaly } from "../shared/summary.ts";
import { compareWorst } from "../shared/worst.ts";

/** Anomalies that are grouped, the worst. */
const MAX_GROUPED = 300;
/** Incidents that are told, the worst. */
const MAX_INCIDENTS = 20;
const MAX_MODELS = 10;
/** Members of an incident start at most this long after one another, seconds. */
const TOGETHER = 15 * 60;
/** Series of one fleet that are one incident, not one each, at least. */
const LEAST_SERIES = 3;

/** Incidents of the worst anomalies, the worst first, each with the change before it. */
export async function readIncidents(
  store: Store,
  alarms: readonly AlarmRow[],
): Promise<ReportView["incidents"]> {
  const worst = alarms
    .map(({ id, startAt, peakScore, severity }) => ({
      ...{ id, start: startAt, peak_score: peakScore },
      severity: severity ?? severityOf({ peak: { score: peakScore } }),
    }))
    .sort(compareWorst)
    .slice(0, MAX_GROUPED);
  const rows = await loadEpisodes(
    store,
    worst.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const incidents = groupIncidents(rows.map(viewEpisode).sort(compareWorst), {
    within: TOGETHER,
    leastSeries: LEAST_SERIES,
  });
  const list: ReportedIncidentView[] = [];
  for (const incident of incidents.slice(0, MAX_INCIDENTS))
    list.push({ ...viewIncident(incident), ...(await explain(store, incident, byId)) });
  return { total: incidents.length, list };
}

/** The likeliest change before the first of its anomalies. */
async function explain(
  store: Store,
  { members }: Incident<AnomalyView>,
  byId: ReadonlyMap<string, EpisodeRow>,
): Promise<Pick<ReportedIncidentView, "change">> {
  const first = members.reduce((a, b) => (b.start < a.start ? b : a));
  const [change] = await findAttributions(store, byId.get(first.id)!);
  return change ? { change: viewAttribution(change) } : {};
}

function viewIncident(incident: Incident<AnomalyView>): ReportedIncidentView {
  const { tag, members } = incident;
  const [worst] = members;
  const verdict = verdictOf(incident);
  return {
    ...spanOfIncident(incident),
    severity: worst!.severity,
    summary: summarizeAnomaly(worst!),
    id: worst!.id,
    worst: outlineWorst(worst!),
    ...(tag !== undefined && { tag }),
    models: modelsOf(incident).slice(0, MAX_MODELS),
    anomalies: members.length,
    ...(verdict !== undefined && { anomaly: verdict }),
  };
}

/** What tells the anomaly, without its weaker features. */
function outlineWorst(anomaly: AnomalyView): ReportedIncidentView["worst"] {
  const { model, series, scope, share } = anomaly;
  const strongest = strongestOf(anomaly);
  return {
    model,
    ...subjectOf({ series, scope, share }),
    peak: Object.fromEntries(strongest ? [strongest] : []),
  };
}
