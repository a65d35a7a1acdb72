// Past forecasts across a break of level or slope: their errors are left out, as the break is known by now; pure.
import { localTimeOf, type Series } from "../local-time.ts";
import type { View } from "./view.ts";

/** Values after a break that a forecast sees it by. */
const SEEN = 3;

/** Whether a break lies between an origin and its lead; undefined where the history has none that is plain. */
export function acrossBreaks(
  series: Series,
  { isPlain, breaks }: Pick<View, "isPlain" | "breaks">,
): ((origin: number, lead: number) => boolean) | undefined {
  if (!isPlain || breaks.length === 0) return undefined;
  const { startOf } = localTimeOf(series);
  return (origin, lead) => {
    const from = startOf(origin);
    return breaks.some((at) => from < at + SEEN && from + lead >= at);
  };
}
