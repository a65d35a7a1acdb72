// Chart of a model over a range of the address, and its anomalies with their judgement.
import { batch, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import { Problem } from "../../api/client.ts";
import { titleOfSeries } from "../../lib/fleet.ts";
import { nameOf } from "../../lib/model-state.ts";
import { endBy, frame, type Range, readRange, toParams } from "../../lib/range.ts";
import { lazy } from "../../parts/lazy.tsx";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { judge } from "../../state/anomalies/anomalies.ts";
import { serverNow } from "../../state/clock.ts";
import { onChange } from "../../state/events.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { type ChartData, fillScores, readSeries } from "../../state/series.ts";
import { may, request } from "../../state/session.ts";
import { ChartCard } from "./chart-card.tsx";
import { ChartMap } from "./chart-map.tsx";
import { Episodes } from "./episodes.tsx";
import { useJudgeKeys } from "./judge-keys.ts";
import { LabelDialog } from "./label-dialog.tsx";
import type { Labelling } from "./labelling.ts";
import { useLabelling } from "./labelling.ts";
import { Labels } from "./labels.tsx";
import { RangeBar, useRangeKeys } from "./range-bar.tsx";

const AnomalyDetail = lazy(() => import("./anomaly/anomaly.tsx").then(({ AnomalyDetail }) => AnomalyDetail));

/** Shortest time between two reads that changes cause, and the time between reads without any. */
const SETTLE_MS = 1000;
const POLL_MS = 60_000;
/** Time to wait for a further zoom, and that between two of a series. */
const REFINE_MS = 80;
const SERIES_MS = 250;
/** Cells of a chart: two per point of a wide screen are more than it shows. */
const POINTS = 1200;

export function ModelChart({ model, series, refresh }: ModelTabProps) {
  const name = nameOf(model);
  const data = useSignal<ChartData | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const latest = useRef<Subject>({ model, series });
  latest.current = { model, series };
  const { params } = route.value;
  const key = `${name}/${series}?${params.range ?? ""}&${params.from ?? ""}&${params.to ?? ""}`;
  const readKey = useSignal("");
  useEffect(() => followSeries(key, () => latest.current, { data, problem, readKey }), [key]);
  useRangeKeys();
  const judgeChosen = async (anomaly: AnomalyView, verdict: boolean, note = anomaly.feedback?.note) => {
    const shown = data.value;
    await judge(anomaly, verdict, note);
    if (!shown) return;
    const feedback = { anomaly: verdict, at: serverNow(), ...(note && { note }) };
    const anomalies = shown.anomalies.map((other) =>
      other.id === anomaly.id ? { ...other, feedback } : other,
    );
    data.value = { ...shown, anomalies };
  };
  useJudgeKeys(data.value?.anomalies, params.at, judgeChosen);
  const labelling = useLabelling(name, data);
  const onView = (range: Range) => setParams({ at: undefined, ...toParams(endBy(range, serverNow())) });
  const onRange = (range: Range) => {
    if (labelling.isOn) labelling.brush(range);
    else onView(range);
  };
  return (
    <>
      <div class="toolbar">
        <RangeBar />
        {data.value && may.value("run") && <LabelBar labelling={labelling} shown={data.value} />}
      </div>
      {problem.value && <ProblemNote problem={problem.value} again={() => setParams({})} />}
      {!data.value && !problem.value && <Loading />}
      {data.value && (
        <ChartCard
          data={data.value}
          units={model.units ?? {}}
          subject={series === undefined ? name : `${name}, ${titleOfSeries(series)}`}
          isTrained={model.state.trained}
          chosen={params.at}
          pending={readKey.value === key || isOfAnomaly(params) ? undefined : readRange(params, serverNow())}
          onRange={onRange}
          isSelecting={labelling.isOn}
          onView={onView}
        />
      )}
      <ChartMap model={model} {...(series !== undefined && { series })} shown={data.value} />
      {params.at && data.value && (
        <AnomalyDetail
          key={params.at}
          model={model}
          id={params.at}
          shown={data.value.anomalies.find(({ id }) => id === params.at)}
          refresh={refresh}
          onJudge={judgeChosen}
        />
      )}
      {data.value && (
        <Episodes
          anomalies={data.value.anomalies}
          isLive={model.live !== undefined}
          chosen={params.at}
          onChoose={(anomaly) => setParams({ at: anomaly.id, ...toParams(frame(anomaly, serverNow())) })}
          onJudge={(anomaly, verdict) => void judgeChosen(anomaly, verdict)}
        />
      )}
      {data.value && <Labels labels={data.value.labels} onRemove={(label) => void labelling.remove(label)} />}
      {labelling.range && data.value && (
        <LabelDialog
          model={name}
          series={series}
          range={labelling.range}
          features={Object.keys(data.value.features)}
          onClose={labelling.close}
          onAdded={labelling.add}
        />
      )}
    </>
  );
}

interface Subject extends Pick<ModelTabProps, "model"> {
  readonly series: string | undefined;
}

interface Shown {
  readonly data: { value: ChartData | undefined };
  readonly problem: { value: Problem | undefined };
  /** Of the range of the data. */
  readonly readKey: { value: string };
}

/**
 * Reads the range after a moment, after changes of the model, and now and then; until then the former data stay.
 * @returns a function that ends it
 */
function followSeries(key: string, latest: () => Subject, shown: Shown): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const read = async () => {
    if (document.hidden) return;
    try {
      const { params } = route.value;
      const { model, series } = latest();
      const range = await rangeOf(nameOf(model), params, signal);
      const options = { points: POINTS, signal, series };
      const data = await readSeries(nameOf(model), range, options);
      if (shown.readKey.value !== key) put(data);
      put(await fillScores(data, model, { range, ...options }));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      batch(() => {
        if (shown.readKey.value !== key) shown.data.value = undefined;
        shown.problem.value = error;
      });
    }
  };
  const put = (data: ChartData) =>
    batch(() => {
      shown.data.value = data;
      shown.readKey.value = key;
      shown.problem.value = undefined;
    });
  const refining = setTimeout(() => void read(), shown.data.value ? waitToRefine() : 0);
  const timer = setInterval(() => void read(), POLL_MS);
  let settling: ReturnType<typeof setTimeout> | undefined;
  const readSoon = () => {
    settling ??= setTimeout(() => {
      settling = undefined;
      void read();
    }, SETTLE_MS);
  };
  const leave = onChange(["model", "live", "anomaly"], readSoon, nameOf(latest().model));
  return () => {
    leave();
    clearTimeout(refining);
    clearTimeout(settling);
    clearInterval(timer);
    ending.abort();
  };
}

let refinedAt = 0;

/** Milliseconds before a read: none but in a series of zooms, of which the last is read. */
function waitToRefine(): number {
  const isSeries = Date.now() - refinedAt < SERIES_MS;
  refinedAt = Date.now();
  return isSeries ? REFINE_MS : 0;
}

/** Whether the range is that around the anomaly of the address. */
function isOfAnomaly({ at, from, range }: Readonly<Record<string, string>>): boolean {
  return at !== undefined && from === undefined && range === undefined;
}

/** The range of the address; of one that names an anomaly alone, around that. */
async function rangeOf(name: string, params: Readonly<Record<string, string>>, signal: AbortSignal) {
  const now = serverNow();
  const range = readRange(params, now);
  if (!isOfAnomaly(params)) return range;
  const path = `/models/${encodeURIComponent(name)}/anomalies?from=now-365d`;
  const anomalies = await request<readonly AnomalyView[]>(path, { signal });
  const found = anomalies.find(({ id }) => id === params.at);
  return found ? frame(found, now) : range;
}

interface LabelBarProps {
  readonly labelling: Labelling;
  readonly shown: ChartData;
}

/** Labelling on and off, and times in place of dragging. */
function LabelBar({ labelling, shown: { times, step } }: LabelBarProps) {
  const { button, hint, enter, cancel } = texts.value.labels;
  if (!labelling.isOn)
    return (
      <button type="button" onClick={labelling.toggle}>
        {button}
      </button>
    );
  const last = (times.at(-1) ?? serverNow()) + step;
  return (
    <p class="hint">
      {hint}{" "}
      <button type="button" onClick={() => labelling.brush({ from: last - 3600, to: last })}>
        {enter}
      </button>{" "}
      <button type="button" onClick={labelling.toggle}>
        {cancel}
      </button>
    </p>
  );
}
