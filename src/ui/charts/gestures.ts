// Gestures on the area of a chart: wheel, fingers and shift-drag move and zoom; a double click shows twice as much.
import type { Range } from "../lib/range.ts";
import { pinch, shift, zoomAt } from "../lib/range.ts";

/** Zoom of one CSS pixel of the wheel; a notch is some 100. */
const ZOOM_PER_PIXEL = 1.003;
/** Browsers let an address change some 20 times a second. */
const MIN_PAUSE_MS = 80;

export interface GestureOptions {
  /** Whether fingers select a stretch, as the mouse does. */
  readonly isSelecting: () => boolean;
  /** Another range is to be shown. @returns the one that will be drawn, which ends now at the latest */
  readonly onView: (range: Range) => Range;
}

/** Whether a pointer moves the range, in place of selecting a stretch of it. */
export function isMoving(
  { shiftKey, pointerType }: PointerEvent,
  { isSelecting }: Pick<GestureOptions, "isSelecting">,
): boolean {
  return shiftKey || (pointerType === "touch" && !isSelecting());
}

/**
 * Follows the gestures on the area of the values, in which x is 0 at the start of the range.
 * @returns to be called with each range that is drawn
 */
export function followGestures(over: HTMLElement, options: GestureOptions): (drawn: Range) => void {
  const { view, shown, draw } = pace(options.onView);
  const secondsPerPixel = ({ from, to }: Range) => (to - from) / Math.max(1, over.clientWidth);
  const timeAt = (range: Range, x: number) => range.from + x * secondsPerPixel(range);
  over.addEventListener(
    "wheel",
    (event) => {
      const { deltaX, deltaY, ctrlKey, shiftKey, offsetX } = event;
      const range = shown();
      const sideways = shiftKey ? deltaX || deltaY : deltaX;
      // Pinching a touch pad is a wheel with the control key.
      if (ctrlKey) view(zoomAt(range, timeAt(range, offsetX), ZOOM_PER_PIXEL ** deltaY));
      else if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY))
        view(shift(range, sideways * secondsPerPixel(range)));
      else return;
      event.preventDefault();
    },
    { passive: false },
  );
  over.addEventListener("dblclick", ({ offsetX }) => {
    const range = shown();
    view(zoomAt(range, timeAt(range, offsetX), 2));
  });
  followPointers(over, { ...options, shown }, ({ range, starts }, places) => {
    const [first, second] = starts.map((x) => timeAt(range, x));
    const [a, b] = places;
    if (second === undefined || b === undefined) view(shift(range, first! - timeAt(range, a!)));
    else view(pinch([first!, second], [a!, b], over.clientWidth));
  });
  return draw;
}

interface Held {
  /** When the pointers were put down. */
  readonly range: Range;
  readonly starts: readonly number[];
}

/** Follows one or two pointers that move the range; with every other number of them the gesture starts anew. */
function followPointers(
  over: HTMLElement,
  options: Pick<GestureOptions, "isSelecting"> & Pick<Pace, "shown">,
  onMove: (held: Held, places: readonly number[]) => void,
): void {
  const places = new Map<number, number>();
  let held: Held | undefined;
  const hold = () => {
    held =
      places.size === 1 || places.size === 2
        ? { range: options.shown(), starts: [...places.values()] }
        : undefined;
  };
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !isMoving(event, options)) return;
    places.set(event.pointerId, event.offsetX);
    over.setPointerCapture(event.pointerId);
    hold();
  });
  over.addEventListener("pointermove", (event) => {
    if (!held || !places.has(event.pointerId)) return;
    places.set(event.pointerId, event.offsetX);
    onMove(held, [...places.values()]);
  });
  const release = ({ pointerId }: PointerEvent) => {
    if (places.delete(pointerId)) hold();
  };
  over.addEventListener("pointerup", release);
  over.addEventListener("pointercancel", release);
}

interface Pace {
  readonly view: (range: Range) => void;
  /** The range of the last gesture until it is drawn, so that the next one goes on from it. */
  readonly shown: () => Range;
  readonly draw: (range: Range) => void;
}

/** Gives ranges on at once, then at most as often as addresses may change, the newest at last. */
function pace(call: GestureOptions["onView"]): Pace {
  let drawn: Range = { from: 0, to: 1 };
  let newest: Range | undefined;
  let asked: Range | undefined;
  let isWaiting = false;
  const next = () => {
    isWaiting = newest !== undefined;
    if (!newest) return;
    asked = call(newest);
    newest = undefined;
    setTimeout(next, MIN_PAUSE_MS);
  };
  return {
    view: (range) => {
      newest = range;
      if (!isWaiting) next();
    },
    shown: () => newest ?? asked ?? drawn,
    draw: (range) => {
      if (range.from !== drawn.from || range.to !== drawn.to) asked = undefined;
      drawn = range;
    },
  };
}
