// Map of all data of a model with a window: a slider that is dragged, resized and moved by keys.
import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import {
  centerWindow,
  type Drag,
  dragWindow,
  type Grip,
  gripAt,
  keepWithin,
  type Mark,
  windowOfKey,
} from "../../lib/overview.ts";
import { areaPath, extentOf, scale } from "../../lib/plot.ts";
import type { Range } from "../../lib/range.ts";
import { TimeAxis } from "../../parts/pictures/time-axis.tsx";
import type { Overview } from "../../state/chart/overview.ts";
import { moments, texts } from "../../state/preferences.ts";

const WIDTH = 1000;
const HEIGHT = 48;
/** CSS pixels around an edge that grip it. */
const NEAR = 8;
const cursors: Readonly<Record<Grip, string>> = {
  middle: "grab",
  from: "ew-resize",
  to: "ew-resize",
  new: "crosshair",
};

interface MapProps {
  readonly data: Overview;
  readonly range: Range;
  readonly label: string;
  /** The window was moved, and let go. */
  readonly onRange: (range: Range) => void;
}

export function RangeMap({ data, range, label, onRange }: MapProps) {
  const { mapWindow, mapHint } = texts.value;
  const { dragged, ...pointers } = useDrag(data, range, onRange);
  const shown = keepWithin(dragged ?? range, data);
  const { moment } = moments.value;
  return (
    <div class="mapped">
      <div
        class="map"
        role="slider"
        tabIndex={0}
        title={mapHint}
        aria-label={label}
        aria-valuemin={Math.round(data.from)}
        aria-valuemax={Math.round(data.to)}
        aria-valuenow={Math.round(shown.from)}
        aria-valuetext={mapWindow(moment(shown.from, 0), moment(shown.to, 0))}
        onKeyDown={(event) => {
          const next = windowOfKey(event.key, shown, data);
          if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          // The keys of the chart are the same.
          event.stopPropagation();
          onRange(next);
        }}
        {...pointers}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <Ground data={data} />
          <Window extent={data} shown={shown} />
        </svg>
      </div>
      <TimeAxis from={data.from} to={data.to} />
    </div>
  );
}

/** Pointers on the map; the range follows when they are let go. */
function useDrag(data: Overview, range: Range, onRange: (range: Range) => void) {
  const dragged = useSignal<Range | undefined>(undefined);
  const drag = useRef<Drag | undefined>(undefined);
  const place = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    const seconds = (data.to - data.from) / Math.max(1, width);
    return { at: data.from + (clientX - left) * seconds, near: NEAR * seconds };
  };
  const shown = keepWithin(range, data);
  return {
    dragged: dragged.value,
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      const { at, near } = place(event);
      drag.current = { grip: gripAt(at, shown, near), window: shown, start: at };
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const { at, near } = place(event);
      const { grip = gripAt(at, shown, near) } = drag.current ?? {};
      (event.currentTarget as HTMLElement).style.cursor = cursors[grip];
      if (drag.current) dragged.value = dragWindow(drag.current, at, data);
    },
    onPointerUp: (event: PointerEvent) => {
      const { at, near } = place(event);
      const ended = drag.current;
      const next = dragged.value;
      drag.current = undefined;
      dragged.value = undefined;
      if (ended?.grip === "new" && Math.abs(at - ended.start) < near) onRange(centerWindow(shown, at, data));
      else if (ended && next) onRange(next);
    },
    onPointerCancel: () => {
      drag.current = undefined;
      dragged.value = undefined;
    },
  };
}

/** Values, anomalies and labels, which stay while the window moves. */
function Ground({ data }: { data: Overview }) {
  const paths = useMemo(() => pathsOf(data), [data]);
  const time = scale([data.from, data.to], [0, WIDTH]);
  const stretch = ({ from, to }: Mark) => {
    const start = Math.max(0, time(from));
    return { x: start, width: Math.max(2, time(to ?? data.to) - start) };
  };
  return (
    <>
      {data.episodes.map((mark) => (
        <rect
          key={mark.from}
          class={mark.anomaly === false ? "dismissed" : "anomaly"}
          height={HEIGHT}
          {...stretch(mark)}
        />
      ))}
      {paths.map((path, i) => (
        <path key={data.features[i]} d={path} />
      ))}
      {data.labels.map((mark) => (
        <rect
          key={mark.from}
          class={mark.anomaly ? "confirmed" : "dismissed"}
          y={HEIGHT - 4}
          height={4}
          {...stretch(mark)}
        />
      ))}
    </>
  );
}

/** An area from the least to the greatest value of each cell, one per feature over the whole height. */
function pathsOf({ features }: Overview): string[] {
  return features.map(({ min, max }) => {
    const extent = extentOf([min, max]);
    const y = scale([extent.min, extent.max], [HEIGHT - 5, 2]);
    return areaPath(min, max, scale([0, Math.max(1, min.length - 1)], [0, WIDTH]), (value) => y(value));
  });
}

function Window({ extent, shown }: { extent: Range; shown: Range }) {
  const time = scale([extent.from, extent.to], [0, WIDTH]);
  const [from, to] = [time(shown.from), time(shown.to)];
  return (
    <>
      <rect class="outside" width={from} height={HEIGHT} />
      <rect class="outside" x={to} width={Math.max(0, WIDTH - to)} height={HEIGHT} />
      <rect class="window" x={from} width={Math.max(3, to - from)} height={HEIGHT} />
    </>
  );
}
