// Lanes of anomalies: models by time, the peak of each cell in its colour; a click filters, arrows move, Enter opens.
import { useRef } from "preact/hooks";
import type { AnomalyLanesView } from "../../../api/anomaly.ts";
import {
  type CellAddress,
  type LaneView,
  nextPlace,
  type Place,
  rampBounds,
  rampOf,
  sortLanes,
} from "../../lib/anomalies/lanes.ts";
import { titleOfSeries } from "../../lib/fleet.ts";
import { toParams } from "../../lib/range.ts";
import { buildRoute } from "../../lib/route.ts";
import { TimeAxis } from "../../parts/pictures/time-axis.tsx";
import { moments, texts } from "../../state/preferences.ts";

/** Lanes that are shown; the others are counted. */
const MAX_LANES = 12;

export interface LanesData extends Pick<AnomalyLanesView, "from" | "step" | "cells"> {
  /** Of models, or of the series of one. */
  readonly lanes: readonly LaneView[];
}

interface LanesProps {
  readonly data: LanesData;
  readonly chosen: CellAddress | undefined;
  readonly onChoose: (cell: CellAddress | undefined) => void;
}

export function Lanes({ data, chosen, onChoose }: LanesProps) {
  const element = useRef<HTMLDivElement>(null);
  const { byModel, bySeries, moreLanes } = texts.value.lanes;
  const index = chosen && Math.floor((chosen.from - data.from) / data.step + 0.5);
  const sorted = sortLanes(data.lanes, index);
  const shown = sorted.slice(0, MAX_LANES);
  const move = (place: Place, event: KeyboardEvent) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = nextPlace(shown, place, event.key);
    if (next)
      element.current?.querySelector<SVGAElement>(`[data-place="${next.lane},${next.cell}"]`)?.focus();
  };
  return (
    <section class="card" aria-labelledby="lanes-title">
      <header class="card-head">
        <h2 id="lanes-title">{shown[0]?.series === undefined ? byModel : bySeries}</h2>
        <Legend />
      </header>
      <div class="lanes" ref={element}>
        {shown.map((lane, i) => (
          <Lane
            key={`${lane.model}/${lane.series}`}
            lane={lane}
            index={i}
            data={data}
            chosen={chosen}
            onChoose={onChoose}
            onMove={move}
          />
        ))}
        <Axis data={data} />
      </div>
      {sorted.length > shown.length && <p class="quiet">{moreLanes(sorted.length - shown.length)}</p>}
    </section>
  );
}

function Legend() {
  const { peakFrom } = texts.value.lanes;
  return (
    <ul class="ramp" aria-label={peakFrom}>
      {rampBounds.map((bound, i) => (
        <li key={bound}>
          <span class={`swatch ramp${i}`} aria-hidden="true" />
          {bound === 0 ? `<${rampBounds[1]}` : bound}
        </li>
      ))}
    </ul>
  );
}

type Named = Pick<LaneView, "model"> & { readonly series?: string | undefined };

export function nameOfLane({ model, series }: Named): string {
  if (series === undefined) return model;
  return series === "" ? texts.value.fleet.whole : titleOfSeries(series);
}

function addressOfLane({ model, series }: Named, params?: Parameters<typeof buildRoute>[1]): string {
  return buildRoute(["models", model, ...(series ? ["series", series] : [])], params);
}

interface LaneProps extends LanesProps {
  readonly lane: LaneView;
  readonly index: number;
  readonly onMove: (place: Place, event: KeyboardEvent) => void;
}

function Lane({ lane, index, data, ...actions }: LaneProps) {
  const { model, series, peaks } = lane;
  const name = nameOfLane(lane);
  const isFirst = peaks.findIndex((peak) => peak !== null);
  return (
    <>
      <a class="lane-name" href={addressOfLane(lane)}>
        {name}
      </a>
      <svg viewBox={`0 0 ${data.cells} 1`} preserveAspectRatio="none">
        <title>{name}</title>
        <path class="empty" d={peaks.map((_, i) => `M${i + 0.08} 0h0.84v1h-0.84z`).join("")} />
        {peaks.map((peak, i) =>
          peak === null ? null : (
            <Cell
              key={i}
              peak={peak}
              place={{ lane: index, cell: i }}
              address={{
                model,
                series,
                from: data.from + i * data.step,
                to: data.from + (i + 1) * data.step,
              }}
              isInOrder={index === 0 && i === isFirst}
              {...actions}
            />
          ),
        )}
      </svg>
    </>
  );
}

interface CellProps extends Pick<LaneProps, "chosen" | "onChoose" | "onMove"> {
  readonly peak: number;
  readonly place: Place;
  readonly address: CellAddress;
  /** Whether Tab leads here; arrows lead to the others. */
  readonly isInOrder: boolean;
}

function Cell({ peak, place, address, isInOrder, chosen, onChoose, onMove }: CellProps) {
  const { cellOf } = texts.value.lanes;
  const { model, series, from, to } = address;
  const isChosen = chosen?.model === model && chosen.series === series && Math.abs(chosen.from - from) < 1;
  const { cell, lane } = place;
  return (
    <a
      href={addressOfLane(address, toParams({ from, to }))}
      data-place={`${lane},${cell}`}
      tabIndex={isInOrder ? 0 : -1}
      class={isChosen ? "chosen" : ""}
      aria-label={cellOf(nameOfLane(address), moments.value.moment(from, 0), peak.toFixed(0))}
      onKeyDown={(event) => onMove(place, event)}
      onClick={(event) => {
        // Enter follows the link; its click has no pointer.
        if (event.detail === 0 || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        onChoose(isChosen ? undefined : address);
      }}
    >
      <rect class={`ramp${rampOf(peak)}`} x={cell + 0.08} y={0} width={0.84} height={1} />
    </a>
  );
}

function Axis({ data: { from, step, cells } }: Pick<LanesProps, "data">) {
  return (
    <div class="lane-axis">
      <TimeAxis from={from} to={from + step * cells} />
    </div>
  );
}
