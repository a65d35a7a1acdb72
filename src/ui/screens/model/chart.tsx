// Chart of a model over a range of the address, and its anomalies with their judgement.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { ModelView } from "../../../api/model.ts";
import { Problem } from "../../api/client.ts";
import { nameOf } from "../../lib/model-state.ts";
import { frame, type Range, readRange, toParams } from "../../lib/range.ts";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { isTyping } from "../../parts/shell.tsx";
import { judge } from "../../state/anomalies.ts";
import { onChange } from "../../state/events.ts";
import { route, setParams } from "../../state/route.ts";
import { type ChartData, fillScores, readSeries } from "../../state/series.ts";
import { may, request } from "../../state/session.ts";
import { ChartCard } from "./chart-card.tsx";
import { ChartMap } from "./chart-map.tsx";
import { Episodes } from "./episodes.tsx";
import { LabelBar } from "./label-bar.tsx";
import { LabelDialog } from "./label-dialog.tsx";
import { useLabelling } from "./labelling.ts";
import { Labels } from "./labels.tsx";
import { RangeBar, useRangeKeys } from "./range-bar.tsx";

/** Shortest time between two reads that changes cause, and the time between reads without any. */
const SETTLE_MS = 1000;
const POLL_MS = 60_000;
/** Cells of a chart: two per point of a wide screen are more than it shows. */
const POINTS = 1200;

export function ModelChart({ model }: ModelTabProps) {
  const name = nameOf(model);
  const data = useSignal<ChartData | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const latest = useRef(model);
  latest.current = model;
  const { params } = route.value;
  const key = `${name}?${params.range ?? ""}&${params.from ?? ""}&${params.to ?? ""}`;
  useEffect(() => followSeries(() => latest.current, { data, problem }), [key]);
  useRangeKeys();
  const judgeChosen = async (anomaly: AnomalyView, verdict: boolean) => {
    const shown = data.value;
    await judge(anomaly, verdict);
    if (!shown) return;
    const feedback = { anomaly: verdict, at: Date.now() / 1000 };
    const anomalies = shown.anomalies.map((other) =>
      other.id === anomaly.id ? { ...other, feedback } : other,
    );
    data.value = { ...shown, anomalies };
  };
  useJudgeKeys(data.value?.anomalies, params.at, judgeChosen);
  const labelling = useLabelling(name, data);
  const onRange = (range: Range) => {
    if (labelling.isOn) labelling.brush(range);
    else setParams({ at: undefined, ...toParams(range) });
  };
  return (
    <>
      <div class="toolbar">
        <RangeBar />
        {data.value && may.value("run") && <LabelBar labelling={labelling} shown={data.value} />}
      </div>
      {problem.value && <ProblemNote problem={problem.value} again={() => setParams({})} />}
      {!data.value && !problem.value && <Loading />}
      {data.value && <ChartCard data={data.value} model={model} chosen={params.at} onRange={onRange} />}
      <ChartMap model={model} shown={data.value} />
      {data.value && (
        <Episodes
          anomalies={data.value.anomalies}
          isLive={model.live !== undefined}
          chosen={params.at}
          onChoose={(anomaly) =>
            setParams({ at: anomaly.id, ...toParams(frame(anomaly, Date.now() / 1000)) })
          }
          onJudge={(anomaly, verdict) => void judgeChosen(anomaly, verdict)}
        />
      )}
      {data.value && <Labels labels={data.value.labels} onRemove={(label) => void labelling.remove(label)} />}
      {labelling.range && data.value && (
        <LabelDialog
          model={name}
          range={labelling.range}
          features={Object.keys(data.value.features)}
          onClose={labelling.close}
          onAdded={labelling.add}
        />
      )}
    </>
  );
}

interface Shown {
  readonly data: { value: ChartData | undefined };
  readonly problem: { value: Problem | undefined };
}

/** Reads the range now, after changes of the model, and now and then. @returns a function that ends it */
function followSeries(latest: () => ModelView, shown: Shown): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const read = async () => {
    if (document.hidden) return;
    try {
      const { params } = route.value;
      const model = latest();
      const range = await rangeOf(nameOf(model), params, signal);
      const options = { points: POINTS, signal };
      const data = await readSeries(nameOf(model), range, options);
      shown.data.value ??= data;
      shown.data.value = await fillScores(data, model, { range, ...options });
      shown.problem.value = undefined;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      shown.problem.value = error;
    }
  };
  shown.data.value = undefined;
  void read();
  const timer = setInterval(() => void read(), POLL_MS);
  let settling: ReturnType<typeof setTimeout> | undefined;
  const readSoon = () => {
    settling ??= setTimeout(() => {
      settling = undefined;
      void read();
    }, SETTLE_MS);
  };
  const leave = onChange(["model", "live", "anomaly"], readSoon, nameOf(latest()));
  return () => {
    leave();
    clearTimeout(settling);
    clearInterval(timer);
    ending.abort();
  };
}

/** The range of the address; of one that names an anomaly alone, around that. */
async function rangeOf(name: string, params: Readonly<Record<string, string>>, signal: AbortSignal) {
  const now = Date.now() / 1000;
  const range = readRange(params, now);
  if (params.at === undefined || params.from !== undefined || params.range !== undefined) return range;
  const path = `/models/${encodeURIComponent(name)}/anomalies?from=now-365d`;
  const anomalies = await request<readonly AnomalyView[]>(path, { signal });
  const found = anomalies.find(({ id }) => id === params.at);
  return found ? frame(found, now) : range;
}

/** Y and N judge the chosen anomaly. */
function useJudgeKeys(
  anomalies: readonly AnomalyView[] | undefined,
  chosen: string | undefined,
  onJudge: (anomaly: AnomalyView, verdict: boolean) => Promise<void>,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const anomaly = anomalies?.find(({ id }) => id === chosen);
      if (!anomaly || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "y") void onJudge(anomaly, true);
      if (event.key === "n") void onJudge(anomaly, false);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [anomalies, chosen]);
}
