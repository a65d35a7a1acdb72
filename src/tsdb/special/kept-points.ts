// Points of a block that a reader takes: all but PromQL leave out special values, most leave out texts and booleans. Pure.
import type { BlockView } from "../block.ts";
import { halvesOf, isNaNOf } from "./values.ts";

/** A block without its special values. */
export function dropSpecial(view: BlockView): BlockView {
  if (!view.hasSpecial) return view;
  const { values } = view;
  const isText = textTest(values);
  const kept = keep(view, (i) => Number.isFinite(values[i]) || isText(i));
  return { ...kept, isNumeric: !kept.values.some((value) => Number.isNaN(value)), hasSpecial: false };
}

/** A block without its texts and booleans; special values stay. */
export function dropTexts(view: BlockView): BlockView {
  if (view.isNumeric) return view;
  const isText = textTest(view.values);
  return { ...keep(view, (i) => !isText(i)), isNumeric: !view.hasSpecial };
}

/** Whether a value stands for a text or a boolean. */
function textTest(values: Float64Array): (i: number) => boolean {
  const halves = halvesOf(values);
  return (i) => Number.isNaN(values[i]) && !isNaNOf(halves, i, "nan") && !isNaNOf(halves, i, "stale");
}

function keep(view: BlockView, isKept: (i: number) => boolean): BlockView {
  const { length } = view.values;
  const [offsets, values] = [new Uint32Array(length), new Float64Array(length)];
  const [from, to] = [halvesOf(view.values), halvesOf(values)];
  let n = 0;
  for (let i = 0; i < length; i++) {
    if (!isKept(i)) continue;
    offsets[n] = view.offsets[i]!;
    to[2 * n] = from[2 * i]!;
    to[2 * n++ + 1] = from[2 * i + 1]!;
  }
  if (n === length) return view;
  return {
    ...view,
    offsets: offsets.subarray(0, n),
    values: values.subarray(0, n),
    step: undefined,
    isBlob: false,
  };
}
