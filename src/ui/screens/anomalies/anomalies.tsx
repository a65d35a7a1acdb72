// Anomalies of all models: lanes by time, and an inbox, newest first, filtered and judged by keys.

import { useEffect, useMemo } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import { groupIncidents } from "../../../core/report/incidents.ts";
import { type CellAddress, isInCell, lanesOfSeries } from "../../lib/anomalies/lanes.ts";
import { describeSubject } from "../../parts/anomalies/describe.ts";
import { Check, Select } from "../../parts/form/controls.tsx";
import { ListSearch, Pager, pageOf } from "../../parts/list.tsx";
import { Empty, Loading, ProblemNote } from "../../parts/notes.tsx";
import { listAnomalies, listLimits, readLanes } from "../../state/anomalies/anomalies.ts";
import { models } from "../../state/models.ts";
import { moments, texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { route, setParams } from "../../state/route.ts";
import { Inbox } from "./inbox.tsx";
import { Lanes, nameOfLane } from "./lanes.tsx";

const POLL_MS = 15_000;
const periods = [1, 7, 14, 30, 90] as const;
const DEFAULT_DAYS = 14;
const scores = [0, 33, 50, 67, 83] as const;
/** Rows of a page. */
const ROWS = 500;
const CELLS = 72;

type Params = Readonly<Record<string, string>>;

/** Parameters without a chosen cell, on the first page. */
const noCell = { model: undefined, series: undefined, from: undefined, to: undefined, page: undefined };

const daysOf = ({ days }: Params) => periods.find((period) => String(period) === days) ?? DEFAULT_DAYS;
const scoreOf = ({ score }: Params) => scores.find((bound) => String(bound) === score) ?? 0;

/** The chosen cell of the lanes: `model`, of a fleet with `series`, with `from` and `to`. */
function cellOf({ fleet, model, series, from, to }: Params): CellAddress | undefined {
  const [start, end] = [Number(from), Number(to)];
  if (model === undefined || !Number.isFinite(start) || !Number.isFinite(end)) return undefined;
  return { model, ...(fleet !== undefined && { series: series ?? "" }), from: start, to: end };
}

/** The days of the address, and of `fleet` the model. */
const periodOf = (params: Params) => ({ days: daysOf(params), model: params.fleet });

const limitOf = ({ older }: Params) => (older ? listLimits.older : listLimits.usual);

const anomalies = createResource((signal) => {
  const { params } = route.value;
  return listAnomalies(periodOf(params), { limit: limitOf(params), signal });
});
const lanes = createResource((signal) => readLanes(periodOf(route.value.params), CELLS, signal));

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
  }, [days, params.fleet, params.older]);
  const { value: read, problem } = anomalies.loaded.value;
  const picture = lanes.loaded.value;
  // The list stands below the lanes: shown before them it would jump.
  const value = picture.value || picture.problem ? read : undefined;
  const cell = cellOf(params);
  const found = useMemo(() => filterList(value ?? [], params), [value, params]);
  const page = pageOf(found.length, ROWS);
  const shown = useMemo(() => groupIncidents(found.slice(page * ROWS, (page + 1) * ROWS)), [found, page]);
  const choose = (chosen: CellAddress | undefined) =>
    setParams({
      model: chosen?.model,
      series: chosen?.series,
      from: chosen && String(Math.round(chosen.from)),
      to: chosen && String(Math.round(chosen.to)),
      page: undefined,
    });
  return (
    <>
      <header class="head">
        <h1>{texts.value.anomalies}</h1>
        <Filters days={days} />
      </header>
      {params.fleet && (
        <Only
          text={texts.value.lanes.onlyModel(params.fleet)}
          onClear={() => setParams({ fleet: undefined, ...noCell })}
        />
      )}
      <LanesCard list={value} chosen={cell} onChoose={choose} />
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void anomalies.refresh()} />}
      {cell && <Only text={describeCell(cell)} onClear={() => choose(undefined)} />}
      {value && shown.length === 0 && <NothingOdd days={days} />}
      {shown.length > 0 && <Inbox list={shown} total={found.length} onJudged={anomalies.refresh} />}
      <Pager label={texts.value.anomalies} total={found.length} size={ROWS} />
      {value?.length === limitOf(params) && <Older limit={limitOf(params)} />}
    </>
  );
}

/** Until the anomalies of a fleet are read, those of all are shown. */
const isOfFleet = (model: string, { fleet }: Params) => fleet === undefined || fleet === model;

function filterList(list: readonly AnomalyView[], params: Params): readonly AnomalyView[] {
  const cell = cellOf(params);
  const text = params.q?.toLowerCase() ?? "";
  return list
    .filter(({ end, feedback }) => (!params.open || end === null) && (!params.unjudged || !feedback))
    .filter(({ model, peak_score }) => isOfFleet(model, params) && peak_score >= scoreOf(params))
    .filter((anomaly) => !cell || isInCell(anomaly, cell))
    .filter((anomaly) => `${anomaly.model} ${describeSubject(anomaly)}`.toLowerCase().includes(text));
}

/** Says that there are older anomalies than those that were read, and reads them, or says how to find them. */
function Older({ limit }: { limit: number }) {
  const { newest, older, shorter } = texts.value.inbox;
  return (
    <p class="actions quiet">
      {newest(limit)}
      {limit < listLimits.older ? (
        <button type="button" onClick={() => setParams({ older: "1" })}>
          {older}
        </button>
      ) : (
        ` ${shorter}`
      )}
    </p>
  );
}

interface LanesCardProps extends Omit<Parameters<typeof Lanes>[0], "data"> {
  readonly list: readonly AnomalyView[] | undefined;
}

/** By model; of one fleet by its series. */
function LanesCard({ list = [], ...props }: LanesCardProps) {
  const { value } = lanes.loaded.value;
  const { params } = route.value;
  const own = params.fleet === undefined ? undefined : list.filter(({ model }) => isOfFleet(model, params));
  const data = value && { ...value, lanes: own ? lanesOfSeries(own, value) : value.lanes };
  return data && data.lanes.length > 0 ? <Lanes data={data} {...props} /> : null;
}

function describeCell(cell: CellAddress): string {
  const { moment } = moments.value;
  return texts.value.lanes.onlyCell(nameOfLane(cell), moment(cell.from, 0), moment(cell.to, 0));
}

/** What the page is filtered by, and the way back. */
function Only({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <p class="actions" role="status">
      {text}
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
    <Check
      label={label}
      isOn={params[key] !== undefined}
      onChange={(isOn) => setParams({ [key]: isOn ? "1" : undefined, page: undefined })}
    />
  );
  return (
    <div class="filters">
      <ListSearch label={own.search} />
      <Select
        label={period}
        value={String(days)}
        options={periods.map((each) => [String(each), nameDays(each)] as const)}
        onChange={(chosen) => setParams({ days: chosen, ...noCell })}
      />
      <Select
        label={own.peakFrom}
        value={String(scoreOf(params))}
        options={scores.map((bound) => [String(bound), bound === 0 ? own.anyPeak : String(bound)] as const)}
        onChange={(chosen) => setParams({ score: chosen === "0" ? undefined : chosen, page: undefined })}
      />
      {toggle("open", onlyOpen)}
      {toggle("unjudged", onlyUnjudged)}
    </div>
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
