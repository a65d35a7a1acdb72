// State of the screens of a fleet: a page of its series, one series with its live state, and its mutes.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { FleetSeriesDetailView, FleetSeriesView } from "../../api/fleet.ts";
import type { MuteWindow } from "../../core/model/mute.ts";
import { seriesListQuery } from "../lib/fleet.ts";
import { parseCounts } from "../lib/model-state.ts";
import { readStored } from "./models.ts";
import { createResource } from "./resource.ts";
import { route } from "./route.ts";
import { request } from "./session.ts";

/** Series of a page. */
export const SERIES_PAGE = 100;
/** Days of anomalies of the whole fleet that its page looks back. */
const DAYS = 30;

export interface SeriesPage {
  readonly series: readonly FleetSeriesView[];
  /** On all pages. */
  readonly total: number;
  /** By state, of the series that are found by text. */
  readonly counts: ReadonlyMap<string, number>;
}

const pathOf = (name: string) => `/models/${encodeURIComponent(name)}`;

export function createSeriesPage(name: string) {
  return createResource(async (signal): Promise<SeriesPage> => {
    let total = 0;
    let counts: SeriesPage["counts"] = new Map();
    const onHeaders = (headers: Headers) => {
      total = Number(headers.get("x-total-count"));
      counts = parseCounts(headers.get("x-state-counts"));
    };
    const query = seriesListQuery(route.value.params, SERIES_PAGE);
    const path = `${pathOf(name)}/series?${query}`;
    const series = await request<readonly FleetSeriesView[]>(path, { signal, onHeaders });
    return { series, total, counts };
  });
}

/** Anomalies of many series at once. */
export function createFleetAnomalies(name: string) {
  const path = `${pathOf(name)}/anomalies?scope=fleet&from=now-${DAYS}d`;
  return createResource((signal) => request<readonly AnomalyView[]>(path, { signal }));
}

/**
 * Changes the mute windows of a model as they are stored now.
 * @throws Problem, as where another client changed the model at the same time
 */
export async function changeMute(
  name: string,
  change: (before: readonly MuteWindow[]) => readonly MuteWindow[],
): Promise<void> {
  const { model, etag } = await readStored(name);
  const next = change((model.settings.mute as readonly MuteWindow[] | undefined) ?? []);
  await request(pathOf(name), {
    method: "PATCH",
    body: { mute: next.length > 0 ? next : null },
    ifMatch: etag,
  });
}

/** One series. @param text of its tags, as in `host:a,cpu:0` */
export function createSeries(name: string, text: string) {
  const path = `${pathOf(name)}/series/${encodeURIComponent(text)}`;
  return createResource((signal) => request<FleetSeriesDetailView>(path, { signal }));
}
