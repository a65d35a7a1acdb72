// Chart of a model over a range of the address, and its anomalies with their judgement.
import { batch, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import { Problem } from "../../api/client.ts";
import { seriesParam, titleOfSeries } from "../../lib/fleet.ts";
import { nameOf } from "../../lib/model-state.ts";
import { badRange, endBy, frame, isDefault, type Range, toParams } from "../../lib/range.ts";
import { lazy } from "../../parts/lazy.tsx";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { judge } from "../../state/anomalies/anomalies.ts";
import { currentRange, findData, rangeByData } from "../../state/chart/chart-range.ts";
import { type ChartData, fillScores, readSeries } from "../../state/chart/series.ts";
import { serverNow } from "../../state/clock.ts";
import { onChange } from "../../state/events.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { download, may, request } from "../../state/session.ts";
import { Budgets } from "./budgets.tsx";
import { ChartCard } from "./chart-card.tsx";
import { ChartMap } from "./chart-map.tsx";
import { Episodes } from "./episodes.tsx";
import { FirstVersion } from "./first-version.tsx";
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
  const isFilling = useSignal(false);
  useEffect(() => followSeries(key, () => latest.current, { data, problem, readKey, isFilling }), [key]);
  useEffect(
    () => () => {
      rangeByData.value = undefined;
    },
    [name, series],
  );
  const refused = badRange(params, serverNow());
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
      {refused !== undefined && (
        <p class="note" role="status">
          {texts.value.chart.noRange(refused)}
        </p>
      )}
      {series === undefined && <FirstVersion model={model} />}
      {problem.value && <ProblemNote problem={problem.value} again={() => setParams({})} />}
      {!data.value && !problem.value && <Loading />}
      {data.value && (
        <ChartCard
          data={data.value}
          units={model.units ?? {}}
          subject={series === undefined ? name : `${name}, ${titleOfSeries(series)}`}
          isTrained={model.state.trained}
          chosen={params.at}
          pending={
            readKey.value === key || isOfAnomaly(params) || isDefault(params) ? undefined : currentRange()
          }
          isFilling={isFilling.value}
          onSave={() => void saveCells(name, series, data.value!)}
          onRange={onRange}
          isSelecting={labelling.isOn}
          onView={onView}
        />
      )}
      {data.value && <Budgets model={model} series={series} data={data.value} />}
      <ChartMap model={model} {...(series !== undefined && { series })} />
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
  /** Whether missing scores are being evaluated. */
  readonly isFilling: { value: boolean };
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
      const range = await rangeOf(nameOf(model), { params, series, signal });
      const options = { points: POINTS, signal, series };
      const data = await readSeries(model, range, options);
      if (shown.readKey.value !== key) put(data);
      shown.isFilling.value = !shown.data.value?.score;
      put(await fillScores(data, model, { range, ...options }));
      shown.isFilling.value = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      batch(() => {
        shown.isFilling.value = false;
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

interface RangeOptions {
  readonly params: Readonly<Record<string, string>>;
  readonly series: string | undefined;
  readonly signal: AbortSignal;
}

/** The range of the address; of one that names an anomaly alone, around that; without any that of the data. */
async function rangeOf(name: string, { params, series, signal }: RangeOptions): Promise<Range> {
  const now = serverNow();
  if (isOfAnomaly(params)) {
    const path = `/models/${encodeURIComponent(name)}/anomalies?from=now-365d`;
    const anomalies = await request<readonly AnomalyView[]>(path, { signal });
    const found = anomalies.find(({ id }) => id === params.at);
    if (found) {
      rangeByData.value = frame(found, now);
      return currentRange();
    }
  }
  const isByData = isDefault(params) || badRange(params, now) !== undefined;
  if (isByData) rangeByData.value = await findData(name, series, signal);
  return currentRange();
}

/** All cells of the shown range as a CSV file. */
async function saveCells(
  name: string,
  series: string | undefined,
  { times, step }: ChartData,
): Promise<void> {
  const [from = 0, last = 0] = [times[0], times.at(-1)];
  const query = `from=${from}&to=${last + step}&points=${times.length}${seriesParam(series)}`;
  await download(`/models/${encodeURIComponent(name)}/_series?${query}`, `${name}.csv`, "text/csv");
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
