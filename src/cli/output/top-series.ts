// Rows of the live view for one series of the fleets that have it.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { FleetSeriesDetailView } from "../../api/fleet.ts";
import { describeSeries, formatSeries } from "../../core/model/series-text.ts";
import type { Model } from "../client/views.ts";
import type { TopRow, TopState } from "./top-rows.ts";

const states: Readonly<Record<FleetSeriesDetailView["state"], TopState>> = {
  new: "learning",
  watched: "live",
  anomalous: "anomaly",
  silent: "no data",
  stopped: "stopped",
};

/** The row of a series; without evaluations, the score of its last window alone. */
export function toSeriesRow(
  { settings, state, live: ofModel }: Model,
  series: FleetSeriesDetailView,
  anomalies: readonly AnomalyView[],
): TopRow {
  const { tags, live } = series;
  const text = formatSeries(tags);
  const own = anomalies.filter((each) => {
    return each.model === settings.name && each.series !== undefined && formatSeries(each.series) === text;
  });
  const newest = own.toSorted((a, b) => b.start - a.start)[0];
  const isFailing = (ofModel?.failures ?? 0) > 0 && series.state !== "anomalous";
  return {
    model: `${settings.name} ${describeSeries(tags)}`,
    state: isFailing ? "failing" : states[series.state],
    score: series.score,
    threshold: state.thresholds?.max ?? null,
    scores: [series.score],
    since: live?.silence?.since ?? live?.anomaly?.start ?? series.first_seen,
    remark: remarkOf(series),
    last_anomaly: newest ? { start: newest.start, end: newest.end, peak_score: newest.peak_score } : null,
  };
}

function remarkOf({ live }: FleetSeriesDetailView): string {
  if (live?.anomaly) return Object.keys(live.anomaly.features).join(", ");
  if (live?.learning) return `${live.learning.points} of ${live.learning.needed} points`;
  return live?.drift ? "drift: retrain the model" : "";
}
