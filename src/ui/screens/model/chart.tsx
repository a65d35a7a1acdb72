// Chart of a model over a range of the address, and its anomalies with their judgement.
import type { ComponentType } from "preact";
import type { AnomalyView } from "../../../api/anomaly.ts";
import { seriesParam, titleOfSeries } from "../../lib/fleet.ts";
import { nameOf } from "../../lib/model-state.ts";
import { badRange, endBy, frame, isDefault, type Range, toParams } from "../../lib/range.ts";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { judge } from "../../state/anomalies/anomalies.ts";
import { currentRange } from "../../state/chart/chart-range.ts";
import type { ChartData } from "../../state/chart/series.ts";
import { serverNow } from "../../state/clock.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { download, may } from "../../state/session.ts";
import type { DetailProps } from "./anomaly/detail.ts";
import { Budgets } from "./budgets.tsx";
import { ChartCard } from "./chart-card.tsx";
import { isOfAnomaly, useChartData } from "./chart-data.ts";
import { ChartMap } from "./chart-map.tsx";
import { Episodes } from "./episodes.tsx";
import { FirstVersion } from "./first-version.tsx";
import { useJudgeKeys } from "./judge-keys.ts";
import { LabelDialog } from "./label-dialog.tsx";
import { type Labelling, useLabelling } from "./labelling.ts";
import { Labels } from "./labels.tsx";
import { RangeBar, useRangeKeys } from "./range-bar.tsx";

export interface ModelChartProps extends ModelTabProps {
  /** Of the chosen anomaly, in a file of its own. */
  readonly Detail: ComponentType<DetailProps>;
}

export function ModelChart({ model, series, refresh, Detail }: ModelChartProps) {
  const name = nameOf(model);
  const { params } = route.value;
  const { data, problem, isFilling, isRead } = useChartData({ model, series });
  const refused = badRange(params, serverNow());
  useRangeKeys();
  const judgeChosen: OnJudge = async (anomaly, verdict, note = anomaly.feedback?.note) => {
    const shown = data.value;
    await judge(anomaly, verdict, note);
    if (shown) data.value = withJudgement(shown, anomaly, { anomaly: verdict, ...(note && { note }) });
  };
  useJudgeKeys(data.value?.anomalies, params.at, judgeChosen);
  const labelling = useLabelling(name, data);
  const onView = (range: Range) => {
    const shown = endBy(range, serverNow());
    setParams({ at: undefined, ...toParams(shown) });
    return shown;
  };
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
          pending={isRead || isOfAnomaly(params) || isDefault(params) ? undefined : currentRange()}
          isFilling={isFilling.value}
          onSave={() => void saveCells(name, series, data.value!)}
          onRange={onRange}
          isSelecting={labelling.isOn}
          onView={onView}
        />
      )}
      {data.value && <Budgets model={model} series={series} data={data.value} />}
      <ChartMap model={model} {...(series !== undefined && { series })} />
      {data.value && (
        <Findings
          {...{ model, series, refresh, Detail, labelling }}
          shown={data.value}
          onJudge={judgeChosen}
        />
      )}
    </>
  );
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

interface FindingsProps extends Omit<ModelChartProps, "series"> {
  readonly series: string | undefined;
  readonly shown: ChartData;
  readonly labelling: Labelling;
  readonly onJudge: OnJudge;
}

/** Anomalies and labels of the shown range, and dialogs about one of them. */
function Findings({ model, series, refresh, Detail, shown, labelling, onJudge }: FindingsProps) {
  const { at } = route.value.params;
  return (
    <>
      {at && (
        <Detail
          key={at}
          model={model}
          id={at}
          shown={shown.anomalies.find(({ id }) => id === at)}
          refresh={refresh}
          onJudge={onJudge}
        />
      )}
      <Episodes
        anomalies={shown.anomalies}
        isLive={model.live !== undefined}
        chosen={at}
        onChoose={(anomaly) => setParams({ at: anomaly.id, ...toParams(frame(anomaly, serverNow())) })}
        onJudge={(anomaly, verdict) => void onJudge(anomaly, verdict)}
      />
      <Labels labels={shown.labels} onRemove={(label) => void labelling.remove(label)} />
      {labelling.range && (
        <LabelDialog
          model={nameOf(model)}
          series={series}
          range={labelling.range}
          features={Object.keys(shown.features)}
          onClose={labelling.close}
          onAdded={labelling.add}
        />
      )}
    </>
  );
}

type OnJudge = (anomaly: AnomalyView, verdict: boolean, note?: string) => Promise<void>;

function withJudgement(
  shown: ChartData,
  { id }: AnomalyView,
  judgement: { readonly anomaly: boolean; readonly note?: string },
): ChartData {
  const feedback = { ...judgement, at: serverNow() };
  return {
    ...shown,
    anomalies: shown.anomalies.map((each) => (each.id === id ? { ...each, feedback } : each)),
  };
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
