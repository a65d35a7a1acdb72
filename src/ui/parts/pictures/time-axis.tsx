// Dates below a picture that is as wide as its place: round instants at their share of the width.
import { timeTicks } from "../../lib/plot.ts";
import type { Range } from "../../lib/range.ts";
import { moments } from "../../state/preferences.ts";

const TICKS = 9;
/** Share of the width from which on a label ends at its tick. */
const LAST = 0.94;

export function TimeAxis({ from, to }: Range) {
  const { tick, offset } = moments.value;
  const ticks = timeTicks(from, to, TICKS, offset);
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : to - from;
  return (
    <div class="time-axis" aria-hidden="true">
      {ticks.map((at) => {
        const share = (at - from) / (to - from);
        return (
          <span
            key={at}
            class={share > LAST ? "last" : share < 1 - LAST ? "first" : ""}
            style={{ left: `${100 * share}%` }}
          >
            {tick(at, step)}
          </span>
        );
      })}
    </div>
  );
}
