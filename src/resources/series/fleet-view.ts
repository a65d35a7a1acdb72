// API views of the series of fleets, with times in seconds.
import type { FleetSeriesDetailView, FleetSeriesView } from "../../api/fleet.ts";
import { pointsOfNext } from "../../core/model/cold-start.ts";
import type { LiveState } from "../../live/state.ts";
import type { LiveSeriesRow } from "../../store/fleets/live-series.ts";
import type { ListedSeriesFit } from "../../store/fleets/version-series.ts";
import { viewFindings } from "../live/view.ts";

interface SeriesFacts {
  /** Points that the active version was fitted to; undefined: it is not fitted yet. */
  readonly fitted: number | undefined;
  /** Id of the anomaly in progress. */
  readonly anomaly: string | undefined;
}

/** A series of a live model. */
export function viewLiveSeries(
  { tags, status, score, firstSeenAt, newestAt, windowAt }: LiveSeriesRow,
  { fitted, anomaly }: SeriesFacts,
): FleetSeriesView {
  return {
    tags,
    state: status,
    score,
    first_seen: firstSeenAt / 1000,
    newest_point: newestAt === null ? null : newestAt / 1000,
    last_window: windowAt / 1000,
    fitted: fitted ?? null,
    ...(anomaly !== undefined && { anomaly }),
  };
}

interface LiveFacts extends Pick<SeriesFacts, "fitted"> {
  readonly state: LiveState;
  /** Time since the last window, ms. */
  readonly lagMs: number;
}

/** A series of a live model, with what was found. */
export function viewLiveDetail(
  row: LiveSeriesRow,
  { state, fitted, lagMs }: LiveFacts,
): FleetSeriesDetailView {
  const { learning } = state;
  return {
    ...viewLiveSeries(row, { fitted, anomaly: state.episode?.id }),
    live: {
      lag: Math.max(0, lagMs / 1000),
      ...(learning &&
        fitted === undefined && { learning: { points: learning.points, needed: pointsOfNext(0) } }),
      ...viewFindings(state),
    },
  };
}

/** A series of a version whose model is not live. */
export function viewFit({ tags, points }: Omit<ListedSeriesFit, "key">): FleetSeriesView {
  const unknown = { score: null, first_seen: null, newest_point: null, last_window: null };
  return { tags, state: "stopped", ...unknown, fitted: points };
}
