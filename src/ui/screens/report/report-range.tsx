// Range of a report: the last days, the range before or after, or two days.
import { dayOf, move, type Range, type SpanName, spanOf, startOfDay, toParams } from "../../lib/range.ts";
import { Chips } from "../../parts/form/controls.tsx";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";

const DAY = 86_400;
/** The server reads 92 days at most. */
const named: readonly SpanName[] = ["7d", "30d", "90d"];

export function ReportRange({ range: { from, to } }: { range: Range }) {
  const { range, ranges, earlier, later, fleet } = texts.value;
  const now = serverNow();
  const { offset } = moments.value;
  const current = spanOf(route.value.params);
  const turn = (share: number) => setParams(toParams(move({ from, to }, share, now)));
  const set = (next: Range) => setParams(toParams({ from: next.from, to: Math.min(next.to, now) }));
  const day = (label: string, at: number, onPick: (midnight: number) => void) => (
    <label class="check">
      {label}{" "}
      <input
        type="date"
        value={dayOf(at, offset)}
        max={dayOf(now, offset)}
        onChange={({ currentTarget: { value } }) => value && onPick(startOfDay(value, offset))}
      />
    </label>
  );
  return (
    <Chips
      legend={range}
      values={named}
      nameOf={(span) => ranges[span]}
      isPressed={(span) => span === current}
      onPick={(span) => setParams({ range: span, from: undefined, to: undefined })}
    >
      <button type="button" aria-label={earlier} onClick={() => turn(-1)}>
        ←
      </button>
      <button type="button" aria-label={later} disabled={current !== undefined} onClick={() => turn(1)}>
        →
      </button>
      {day(fleet.from, from, (start) => set({ from: start, to: Math.max(to, start + DAY) }))}
      {day(fleet.to, to - 1, (start) => set({ from: Math.min(from, start), to: start + DAY }))}
    </Chips>
  );
}
