// Anomalies of all models: lanes by time, and an inbox, newest first, filtered and judged by keys.
import { useEffect } from "preact/hooks";
import type { CellAddress } from "../../lib/lanes.ts";
import { isInCell } from "../../lib/lanes.ts";
import { Empty, Loading, ProblemNote } from "../../parts/notes.tsx";
import { listAnomalies, readLanes } from "../../state/anomalies.ts";
import { models } from "../../state/models.ts";
import { moments, texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { route, setParams } from "../../state/route.ts";
import { Inbox } from "./inbox.tsx";
import { Lanes } from "./lanes.tsx";

const POLL_MS = 15_000;
const periods = [1, 7, 14, 30, 90] as const;
const DEFAULT_DAYS = 14;
const scores = [0, 33, 50, 67, 83] as const;
const MAX_ROWS = 500;
const CELLS = 72;

type Params = Readonly<Record<string, string>>;

const daysOf = ({ days }: Params) => periods.find((period) => String(period) === days) ?? DEFAULT_DAYS;
const scoreOf = ({ score }: Params) => scores.find((bound) => String(bound) === score) ?? 0;

/** The chosen cell of the lanes: `model` with `from` and `to`. */
function cellOf({ model, from, to }: Params): CellAddress | undefined {
  const [start, end] = [Number(from), Number(to)];
  if (model === undefined || !Number.isFinite(start) || !Number.isFinite(end)) return undefined;
  return { model, from: start, to: end };
}

const anomalies = createResource((signal) => listAnomalies(daysOf(route.value.params), signal));
const lanes = createResource((signal) => readLanes(daysOf(route.value.params), CELLS, signal));

export function Anomalies() {
  const { params } = route.value;
  const days = daysOf(params);
  useEffect(() => {
    const stops = [
      anomalies.follow(POLL_MS, ["anomaly"]),
      lanes.follow(2 * POLL_MS, ["anomaly"]),
      models.follow(4 * POLL_MS, ["model"]),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [days]);
  const { value, problem } = anomalies.loaded.value;
  const byTime = lanes.loaded.value.value;
  const cell = cellOf(params);
  const shown = (value ?? [])
    .filter(({ end, feedback }) => (!params.open || end === null) && (!params.unjudged || !feedback))
    .filter(({ peak_score }) => peak_score >= scoreOf(params))
    .filter((anomaly) => !cell || isInCell(anomaly, cell))
    .slice(0, MAX_ROWS);
  const choose = (chosen: CellAddress | undefined) =>
    setParams({
      model: chosen?.model,
      from: chosen && String(Math.round(chosen.from)),
      to: chosen && String(Math.round(chosen.to)),
    });
  return (
    <>
      <header class="head">
        <h1>{texts.value.anomalies}</h1>
        <Filters days={days} />
      </header>
      {byTime && byTime.lanes.length > 0 && <Lanes data={byTime} chosen={cell} onChoose={choose} />}
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void anomalies.refresh()} />}
      {cell && <Chosen cell={cell} onClear={() => choose(undefined)} />}
      {value && shown.length === 0 && <NothingOdd days={days} />}
      {shown.length > 0 && <Inbox list={shown} onJudged={anomalies.refresh} />}
    </>
  );
}

/** What the inbox is filtered by, and the way back. */
function Chosen({ cell: { model, from, to }, onClear }: { cell: CellAddress; onClear: () => void }) {
  const { onlyCell } = texts.value.lanes;
  const { moment } = moments.value;
  return (
    <p class="actions" role="status">
      {onlyCell(model, moment(from, 0), moment(to, 0))}
      <button type="button" onClick={onClear}>
        {texts.value.clear}
      </button>
    </p>
  );
}

function Filters({ days }: { days: number }) {
  const { period, days: nameDays, onlyOpen, onlyUnjudged, lanes: own } = texts.value;
  const { params } = route.value;
  const toggle = (key: "open" | "unjudged", label: string) => (
    <label class="check">
      <input
        type="checkbox"
        checked={params[key] !== undefined}
        onChange={({ currentTarget }) => setParams({ [key]: currentTarget.checked ? "1" : undefined })}
      />{" "}
      {label}
    </label>
  );
  return (
    <div class="filters">
      <Choice
        label={period}
        value={days}
        values={periods}
        name={nameDays}
        onChange={(chosen) => setParams({ days: chosen, model: undefined, from: undefined, to: undefined })}
      />
      <Choice
        label={own.peakFrom}
        value={scoreOf(params)}
        values={scores}
        name={(bound) => (bound === 0 ? own.anyPeak : String(bound))}
        onChange={(chosen) => setParams({ score: chosen === "0" ? undefined : chosen })}
      />
      {toggle("open", onlyOpen)}
      {toggle("unjudged", onlyUnjudged)}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: number;
  readonly values: readonly number[];
  readonly name: (value: number) => string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, values, name, onChange }: ChoiceProps) {
  return (
    <label>
      {label}{" "}
      <select value={String(value)} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {values.map((each) => (
          <option key={each} value={String(each)}>
            {name(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

function NothingOdd({ days }: { days: number }) {
  const { nothingOdd, watching } = texts.value;
  const live = models.loaded.value.value?.filter(({ live }) => live).length ?? 0;
  return (
    <Empty>
      <p>{nothingOdd(days)}</p>
      <p>{watching(live)}</p>
    </Empty>
  );
}
