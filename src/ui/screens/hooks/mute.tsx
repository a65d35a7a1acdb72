// Muted hours as a week grid: drawn by dragging or by keys; other windows stay as they are.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { MuteWindow } from "../../../core/model/mute.ts";
import { buildMute, clock, HOURS, readMute, type Week, weekdays } from "../../lib/anomalies/mute-grid.ts";
import { useAction } from "../../parts/action.ts";
import { describeMute, muteZones } from "../../parts/anomalies/describe-mute.ts";
import { texts } from "../../state/preferences.ts";
import { may, request } from "../../state/session.ts";

interface MuteProps {
  readonly model: string;
  readonly windows: readonly MuteWindow[];
  readonly timezone: string;
  readonly etag: string;
  /** Whether the stored hours were saved here. */
  readonly isSaved: boolean;
  readonly onSaved: () => void;
}

export function Mute({ model, windows, timezone, etag, isSaved, onSaved }: MuteProps) {
  const { mute: own, conflict, unreachable } = texts.value;
  const zones = muteZones(timezone);
  const stored = readMute(windows, zones);
  const week = useSignal(stored.week);
  const { run, problem } = useAction();
  /** The next attempt needs no condition: the reader knows of the conflict. */
  const isForced = useSignal(false);
  const isChanged = week.value.some((muted, hour) => muted !== stored.week[hour]);
  const canChange = may.value("admin");
  const save = async () => {
    const mute = buildMute({ ...stored, week: week.value }, zones);
    const body = { mute: mute.length > 0 ? mute : null };
    const path = `/models/${encodeURIComponent(model)}`;
    const condition = isForced.value ? {} : { ifMatch: etag };
    if (await run(() => request(path, { method: "PATCH", body, ...condition }))) onSaved();
    else isForced.value = problem.value?.status === 412;
  };
  return (
    <section class="card">
      <h2>{own.title}</h2>
      <p class="quiet">{own.about(zones.shown)}</p>
      <Grid week={week.value} isFixed={!canChange} onChange={(next) => (week.value = next)} />
      {stored.others.length > 0 && (
        <>
          <p class="quiet">{own.others}</p>
          <ul>
            {stored.others.map((window) => (
              <li key={JSON.stringify(window)}>{describeMute(window, timezone)}</li>
            ))}
          </ul>
        </>
      )}
      {problem.value && (
        <p class="bad" role="alert">
          {isForced.value ? conflict : problem.value.message || unreachable}
        </p>
      )}
      {canChange && (
        <div class="row">
          <button type="button" class="primary" disabled={!isChanged} onClick={() => void save()}>
            {own.save}
          </button>
          <button type="button" disabled={!isChanged} onClick={() => (week.value = stored.week)}>
            {own.reset}
          </button>
          <span role="status">{isSaved && !isChanged && own.saved}</span>
        </div>
      )}
    </section>
  );
}

interface GridProps {
  readonly week: Week;
  readonly isFixed: boolean;
  readonly onChange: (week: Week) => void;
}

/** One cell is in the order of tabs; arrows move to the others. */
function Grid({ week, isFixed, onChange }: GridProps) {
  const { mute: own } = texts.value;
  const at = useSignal(0);
  const body = useRef<HTMLTableSectionElement>(null);
  /** What the drag sets; undefined: none. */
  const drawn = useRef<boolean | undefined>(undefined);
  const pressed = useRef(week);
  const end = () => (drawn.current = undefined);
  const move = (event: KeyboardEvent) => {
    // On narrow pages the days are columns.
    const isTurned = getComputedStyle(body.current!).display === "flex";
    const step = steps[event.key]?.[isTurned ? 1 : 0];
    if (step === undefined) return;
    event.preventDefault();
    at.value = (at.value + step + week.length) % week.length;
    body.current?.querySelectorAll("button")[at.value]?.focus();
  };
  return (
    <div class="sideways">
      <table
        class="mute"
        onPointerDownCapture={() => (pressed.current = week)}
        onPointerUp={end}
        onPointerLeave={end}
        // The finger scrolls the page: it has marked nothing.
        onPointerCancel={() => {
          end();
          onChange(pressed.current);
        }}
      >
        <thead>
          <tr>
            <td />
            {Array.from({ length: HOURS / 3 }, (_, i) => (
              <th key={clock(3 * i)} scope="colgroup" colSpan={3}>
                {clock(3 * i)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={move}>
          {weekdays.map((day, d) => (
            <tr key={day}>
              <th scope="row" data-short={own.days[day].slice(0, 2)}>
                {own.days[day]}
              </th>
              {Array.from({ length: HOURS }, (_, h) => (
                <td key={clock(h)}>
                  <Cell
                    label={own.cell(own.days[day], clock(h))}
                    isMuted={week[d * HOURS + h] === true}
                    isFixed={isFixed}
                    isInOrder={d * HOURS + h === at.value}
                    drawn={drawn}
                    onFocus={() => (at.value = d * HOURS + h)}
                    onSet={(isMuted) => onChange(week.with(d * HOURS + h, isMuted))}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly label: string;
  readonly isMuted: boolean;
  readonly isFixed: boolean;
  /** Whether tabs stop here. */
  readonly isInOrder: boolean;
  /** What the drag sets. */
  readonly drawn: { current: boolean | undefined };
  readonly onFocus: () => void;
  readonly onSet: (isMuted: boolean) => void;
}

function Cell({ label, isMuted, isFixed, isInOrder, drawn, onFocus, onSet }: CellProps) {
  return (
    <button
      type="button"
      disabled={isFixed}
      tabIndex={isInOrder ? 0 : -1}
      aria-pressed={isMuted}
      aria-label={label}
      onFocus={onFocus}
      onPointerDown={({ currentTarget, pointerId }) => {
        // Touch would send all that follows to this cell.
        if (currentTarget.hasPointerCapture(pointerId)) currentTarget.releasePointerCapture(pointerId);
        drawn.current = !isMuted;
        onSet(!isMuted);
      }}
      onPointerEnter={() => {
        if (drawn.current !== undefined && drawn.current !== isMuted) onSet(drawn.current);
      }}
      // Keys and assistive technology click without a pointer.
      onClick={({ detail }) => detail === 0 && onSet(!isMuted)}
    />
  );
}

/** With the hours as columns, and with the days. */
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, -HOURS],
  ArrowRight: [1, HOURS],
  ArrowUp: [-HOURS, -1],
  ArrowDown: [HOURS, 1],
};
