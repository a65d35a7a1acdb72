// Range of a chart: named spans, movement and zoom, by buttons and keys.
import { useLayoutEffect } from "preact/hooks";
import {
  dayOf,
  isDefault,
  move,
  type Range,
  type SpanName,
  spanOf,
  spans,
  startOfDay,
  toParams,
  zoom,
} from "../../lib/range.ts";
import { Chips } from "../../parts/form/controls.tsx";
import { isTyping } from "../../parts/shell.tsx";
import { currentRange, rangeByData } from "../../state/chart/chart-range.ts";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";

const STEP = 0.5;

type Change = (range: Range, now: number) => Range;

const changes: Readonly<Record<string, Change>> = {
  ArrowLeft: (range, now) => move(range, -STEP, now),
  ArrowRight: (range, now) => move(range, STEP, now),
  "+": (range, now) => zoom(range, "in", now),
  "-": (range, now) => zoom(range, "out", now),
};

function apply(change: Change): void {
  const now = serverNow();
  setParams(toParams(change(currentRange(), now)));
}

function choose(span: SpanName): void {
  setParams({ range: span, from: undefined, to: undefined });
}

const DAY = 86_400;

/** From midnight to midnight in the shown zone. @param day `2026-11-26` */
function chooseDay(day: string): void {
  const from = startOfDay(day, moments.value.offset);
  setParams(toParams({ from, to: Math.min(from + DAY, Math.max(serverNow(), from + DAY / 24)) }));
}

export function RangeBar() {
  const { range, ranges, earlier, later, zoomIn, zoomOut } = texts.value;
  const { params } = route.value;
  // The data there is may be less than the usual range.
  const current = isDefault(params) && rangeByData.value ? undefined : spanOf(params);
  return (
    <Chips
      legend={range}
      values={Object.keys(spans) as SpanName[]}
      nameOf={(span) => ranges[span]}
      isPressed={(span) => span === current}
      onPick={choose}
    >
      <label class="check">
        <span class="word">{texts.value.chart.day}</span>{" "}
        <input
          type="date"
          value={dayOf(currentRange().from, moments.value.offset)}
          onChange={({ currentTarget }) => currentTarget.value && chooseDay(currentTarget.value)}
        />
      </label>
      <span class="together">
        <button type="button" aria-label={earlier} onClick={() => apply(changes.ArrowLeft!)}>
          ←
        </button>
        <button type="button" aria-label={later} onClick={() => apply(changes.ArrowRight!)}>
          →
        </button>
        <button type="button" aria-label={zoomIn} onClick={() => apply(changes["+"]!)}>
          +
        </button>
        <button type="button" aria-label={zoomOut} onClick={() => apply(changes["-"]!)}>
          −
        </button>
      </span>
    </Chips>
  );
}

/** Arrows move, + and - zoom, 0 returns to now. */
export function useRangeKeys(): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const change = changes[event.key];
      if (change) apply(change);
      if (event.key === "0") choose("7d");
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
