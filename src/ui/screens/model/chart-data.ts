// Data of the chart of a model: those of the range of the address, read when it, the model or the time changes.
import { batch, type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import { Problem } from "../../api/client.ts";
import { nameOf } from "../../lib/model-state.ts";
import { badRange, frame, isDefault, type Range } from "../../lib/range.ts";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { currentRange, findData, rangeByData } from "../../state/chart/chart-range.ts";
import { type ChartData, fillScores, readSeries } from "../../state/chart/series.ts";
import { serverNow } from "../../state/clock.ts";
import { onChange } from "../../state/events.ts";
import { route } from "../../state/route.ts";
import { request } from "../../state/session.ts";

/** Shortest time between two reads that changes cause, and the time between reads without any. */
const SETTLE_MS = 1000;
const POLL_MS = 60_000;
/** Time to wait for a further zoom, and that between two of a series. */
const REFINE_MS = 80;
const SERIES_MS = 250;
/** Cells of a chart: two per point of a wide screen are more than it shows. */
const POINTS = 1200;

interface Reading {
  readonly data: Signal<ChartData | undefined>;
  readonly problem: Signal<Problem | undefined>;
  /** Whether missing scores are being evaluated. */
  readonly isFilling: Signal<boolean>;
  /** Whether the data are those of the range. */
  readonly isRead: boolean;
}

/** The data of the range of the address, followed while the chart is shown. */
export function useChartData({ model, series }: Subject): Reading {
  const name = nameOf(model);
  const data = useSignal<ChartData | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const latest = useRef<Subject>({ model, series });
  latest.current = { model, series };
  const { params } = route.value;
  const key = `${name}/${series}?${params.range ?? ""}&${params.from ?? ""}&${params.to ?? ""}`;
  const readKey = useSignal("");
  const isFilling = useSignal(false);
  useEffect(() => followSeries(key, () => latest.current, { data, problem, readKey, isFilling }), [key]);
  useEffect(
    () => () => {
      rangeByData.value = undefined;
    },
    [name, series],
  );
  return { data, problem, isFilling, isRead: readKey.value === key };
}

interface Subject extends Pick<ModelTabProps, "model"> {
  readonly series: string | undefined;
}

interface Shown {
  readonly data: { value: ChartData | undefined };
  readonly problem: { value: Problem | undefined };
  /** Of the range of the data. */
  readonly readKey: { value: string };
  /** Whether missing scores are being evaluated. */
  readonly isFilling: { value: boolean };
}

/**
 * Reads the range after a moment, after changes of the model, and now and then; until then the former data stay.
 * @returns a function that ends it
 */
function followSeries(key: string, latest: () => Subject, shown: Shown): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const read = async () => {
    if (document.hidden) return;
    try {
      const { params } = route.value;
      const { model, series } = latest();
      const range = await rangeOf(nameOf(model), { params, series, signal });
      const options = { points: POINTS, signal, series };
      const data = await readSeries(model, range, options);
      if (shown.readKey.value !== key) put(data);
      shown.isFilling.value = !shown.data.value?.score;
      put(await fillScores(data, model, { range, ...options }));
      shown.isFilling.value = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      batch(() => {
        shown.isFilling.value = false;
        if (shown.readKey.value !== key) shown.data.value = undefined;
        shown.problem.value = error;
      });
    }
  };
  const put = (data: ChartData) =>
    batch(() => {
      shown.data.value = data;
      shown.readKey.value = key;
      shown.problem.value = undefined;
    });
  const refining = setTimeout(() => void read(), shown.data.value ? waitToRefine() : 0);
  const timer = setInterval(() => void read(), POLL_MS);
  let settling: ReturnType<typeof setTimeout> | undefined;
  const readSoon = () => {
    settling ??= setTimeout(() => {
      settling = undefined;
      void read();
    }, SETTLE_MS);
  };
  const leave = onChange(["model", "live", "anomaly"], readSoon, nameOf(latest().model));
  return () => {
    leave();
    clearTimeout(refining);
    clearTimeout(settling);
    clearInterval(timer);
    ending.abort();
  };
}

let refinedAt = 0;

/** Milliseconds before a read: none but in a series of zooms, of which the last is read. */
function waitToRefine(): number {
  const isSeries = Date.now() - refinedAt < SERIES_MS;
  refinedAt = Date.now();
  return isSeries ? REFINE_MS : 0;
}

/** Whether the range is that around the anomaly of the address. */
export function isOfAnomaly({ at, from, range }: Readonly<Record<string, string>>): boolean {
  return at !== undefined && from === undefined && range === undefined;
}

interface RangeOptions {
  readonly params: Readonly<Record<string, string>>;
  readonly series: string | undefined;
  readonly signal: AbortSignal;
}

/** The range of the address; of one that names an anomaly alone, around that; without any that of the data. */
async function rangeOf(name: string, { params, series, signal }: RangeOptions): Promise<Range> {
  const now = serverNow();
  if (isOfAnomaly(params)) {
    const path = `/models/${encodeURIComponent(name)}/anomalies?from=now-365d`;
    const anomalies = await request<readonly AnomalyView[]>(path, { signal });
    const found = anomalies.find(({ id }) => id === params.at);
    if (found) {
      rangeByData.value = frame(found, now);
      return currentRange();
    }
  }
  const isByData = isDefault(params) || badRange(params, now) !== undefined;
  if (isByData) rangeByData.value = await findData(name, series, signal);
  return currentRange();
}
