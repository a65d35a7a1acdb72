// Lanes of anomalies: their order, the colour of a peak, and moves of the focus between cells; pure.
import type { AnomalyLanesView, AnomalyView } from "../../../api/anomaly.ts";
import { formatSeries } from "../../../core/model/series-text.ts";

/** A lane of a model, or of a series of a fleet. */
export interface LaneView {
  readonly model: string;
  /** As in `host:a,cpu:0`; empty: many series at once. Absent: a lane of a model. */
  readonly series?: string;
  readonly count: number;
  readonly peaks: readonly (number | null)[];
}

/** A cell of a lane, by the start of its time. */
export interface CellAddress {
  readonly model: string;
  /** That of its lane. */
  readonly series?: string | undefined;
  /** Seconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** Lower bounds of the five colours: one normal point in 100, 1 000, 10 000 and 100 000. */
export const rampBounds = [0, 33, 50, 67, 83] as const;

/** Colour of a peak, 0..4. */
export function rampOf(score: number): number {
  return rampBounds.findLastIndex((bound) => score >= bound);
}

/** By the peak in the chosen cell, then by number, then by name. */
export function sortLanes(lanes: readonly LaneView[], chosen: number | undefined): LaneView[] {
  const nameOf = ({ model, series = "" }: LaneView) => `${model} ${series}`;
  const peak = ({ peaks }: LaneView) => (chosen === undefined ? 0 : (peaks[chosen] ?? -1));
  return lanes.toSorted(
    (a, b) => peak(b) - peak(a) || b.count - a.count || nameOf(a).localeCompare(nameOf(b)),
  );
}

/** Whether an anomaly overlaps the cell; one in progress lasts on. */
export function isInCell(anomaly: AnomalyView, cell: CellAddress): boolean {
  const { model, start, end } = anomaly;
  if (model !== cell.model || (cell.series !== undefined && cell.series !== laneOf(anomaly))) return false;
  return start < cell.to && (end ?? Number.POSITIVE_INFINITY) >= cell.from;
}

const laneOf = ({ series }: AnomalyView) => (series ? formatSeries(series) : "");

/** Lanes by series of the anomalies of one fleet, with the cells of its lane. */
export function lanesOfSeries(
  list: readonly AnomalyView[],
  { from, step, cells }: Pick<AnomalyLanesView, "from" | "step" | "cells">,
): readonly LaneView[] {
  const lanes = new Map<string, LaneView & { count: number; readonly peaks: (number | null)[] }>();
  for (const anomaly of list) {
    const { model, start, end, peak_score } = anomaly;
    const series = laneOf(anomaly);
    const empty = { model, series, count: 0, peaks: Array.from({ length: cells }, () => null) };
    const lane = lanes.get(series) ?? empty;
    lanes.set(series, lane);
    lane.count++;
    const last = end === null ? cells - 1 : Math.min(cells - 1, Math.floor((end - from) / step));
    for (let cell = Math.max(0, Math.floor((start - from) / step)); cell <= last; cell++)
      lane.peaks[cell] = Math.max(lane.peaks[cell] ?? 0, peak_score);
  }
  return [...lanes.values()];
}

export interface Place {
  readonly lane: number;
  readonly cell: number;
}

/**
 * The cell with a peak that an arrow leads to: the next one in the lane, or the nearest one in the lane above or below.
 * @returns undefined at the edge
 */
export function nextPlace(lanes: readonly LaneView[], { lane, cell }: Place, key: string): Place | undefined {
  const cellsOf = (index: number) =>
    (lanes[index]?.peaks ?? []).flatMap((peak, i) => (peak === null ? [] : [i]));
  if (key === "ArrowRight" || key === "ArrowLeft") {
    const own = cellsOf(lane);
    const next = own[own.indexOf(cell) + (key === "ArrowRight" ? 1 : -1)];
    return next === undefined ? undefined : { lane, cell: next };
  }
  const other = lane + (key === "ArrowDown" ? 1 : -1);
  const [nearest] = cellsOf(other).sort((a, b) => Math.abs(a - cell) - Math.abs(b - cell));
  return nearest === undefined ? undefined : { lane: other, cell: nearest };
}
