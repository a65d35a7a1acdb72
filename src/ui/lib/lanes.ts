// Lanes of anomalies: their order, the colour of a peak, and moves of the focus between cells; pure.
import type { AnomalyLanesView, AnomalyView } from "../../api/anomaly.ts";

export type LaneView = AnomalyLanesView["lanes"][number];

/** A cell of a lane, by the start of its time. */
export interface CellAddress {
  readonly model: string;
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
  const peak = ({ peaks }: LaneView) => (chosen === undefined ? 0 : (peaks[chosen] ?? -1));
  return lanes.toSorted((a, b) => peak(b) - peak(a) || b.count - a.count || a.model.localeCompare(b.model));
}

/** Whether an anomaly overlaps the cell; one in progress lasts on. */
export function isInCell({ model, start, end }: AnomalyView, cell: CellAddress): boolean {
  return model === cell.model && start < cell.to && (end ?? Number.POSITIVE_INFINITY) >= cell.from;
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
