// Cross lines below the pointer and the stretch that is dragged; linked charts show those of each other.
import { type Scale, scale } from "../lib/plot.ts";
import type { Range } from "../lib/range.ts";
import { followGestures, type GestureOptions, isMoving } from "./gestures.ts";
import type { Plot } from "./paint.ts";

/** Shortest stretch that counts as dragged, CSS pixels. */
const MIN_DRAG = 4;

export interface PointerOptions {
  /** Shows the pointers of the other linked charts. */
  readonly isLinked: boolean;
  /** A stretch was selected by dragging; absent: nothing can be. */
  readonly onRange?: (range: Range) => void;
  /** Gestures that move and zoom; absent: there are none. */
  readonly gestures?: GestureOptions;
  /** The instant below the pointer, seconds; undefined outside. */
  readonly onMove: (at: number | undefined) => void;
}

export interface Pointer {
  /** Covers the area of the values. */
  readonly place: (plot: Plot) => void;
  readonly destroy: () => void;
}

/** Lines of one chart, in seconds. */
interface Lines {
  readonly show: (at: number | undefined, dragged: Range | undefined) => void;
}

const linked = new Set<Lines>();

/** Adds the lines to the element that holds the canvas. */
export function createPointer(parent: HTMLElement, options: PointerOptions): Pointer {
  const add = (to: HTMLElement, name: string) => {
    const made = document.createElement("div");
    made.className = name;
    return to.appendChild(made);
  };
  const over = add(parent, "over");
  const [cross, level, brush] = [add(over, "cross"), add(over, "level"), add(over, "brush")];
  const hide = (element: HTMLElement, isHidden: boolean) => element.toggleAttribute("hidden", isHidden);
  let x: Scale = () => 0;
  const own: Lines = {
    show: (at, dragged) => {
      hide(cross, at === undefined);
      hide(brush, dragged === undefined);
      if (at !== undefined) cross.style.left = `${x(at)}px`;
      if (!dragged) return;
      brush.style.left = `${x(dragged.from)}px`;
      brush.style.width = `${x(dragged.to) - x(dragged.from)}px`;
    },
  };
  own.show(undefined, undefined);
  hide(level, true);
  if (options.isLinked) linked.add(own);
  let toTime: Scale = () => 0;
  const draw = options.gestures && followGestures(over, options.gestures);
  listen(over, options, {
    timeAt: (px) => toTime(px),
    show: (at, y, dragged) => {
      hide(level, y === undefined);
      level.style.top = `${y}px`;
      for (const lines of options.isLinked ? linked : [own]) lines.show(at, dragged);
      options.onMove(at);
    },
  });
  return {
    place: ({ left, right, top, bottom, from, to }) => {
      const width = right - left;
      draw?.({ from, to });
      x = scale([from, to], [0, width]);
      toTime = scale([0, width], [from, to]);
      Object.assign(over.style, {
        left: `${left}px`,
        top: `${top}px`,
        width: `${width}px`,
        height: `${bottom - top}px`,
      });
    },
    destroy: () => void linked.delete(own),
  };
}

interface Shown {
  /** @param px from the left edge of the area */
  readonly timeAt: Scale;
  readonly show: (at: number | undefined, y: number | undefined, dragged: Range | undefined) => void;
}

function listen(over: HTMLElement, { onRange, gestures }: PointerOptions, { timeAt, show }: Shown): void {
  let start: number | undefined;
  const within = ({ offsetX }: PointerEvent) => Math.max(0, Math.min(offsetX, over.clientWidth));
  const draggedTo = (end: number) => {
    if (start === undefined || Math.abs(end - start) < MIN_DRAG) return undefined;
    return { from: timeAt(Math.min(start, end)), to: timeAt(Math.max(start, end)) };
  };
  over.onpointerdown = (event) => {
    if (event.button !== 0 || !onRange || (gestures && isMoving(event, gestures))) return;
    start = within(event);
    over.setPointerCapture(event.pointerId);
  };
  over.onpointermove = (event) => {
    const px = within(event);
    show(timeAt(px), event.offsetY, draggedTo(px));
  };
  over.onpointerup = (event) => {
    const dragged = draggedTo(within(event));
    start = undefined;
    show(timeAt(within(event)), event.offsetY, undefined);
    if (dragged) onRange?.(dragged);
  };
  over.onpointercancel = over.onpointerleave = () => {
    start = undefined;
    show(undefined, undefined, undefined);
  };
}
