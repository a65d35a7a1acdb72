// One model: its chart over a range of the address, its anomalies with their judgement.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { ModelView } from "../../../api/model.ts";
import { Problem } from "../../api/client.ts";
import { nameOf, sourceOf, stateOfModel } from "../../lib/model-state.ts";
import { frame, readRange, toParams } from "../../lib/range.ts";
import { buildRoute } from "../../lib/route.ts";
import { StateMark } from "../../parts/marks.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { isTyping } from "../../parts/shell.tsx";
import { judge } from "../../state/anomalies.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { addExpected, type ChartData, readSeries } from "../../state/series.ts";
import { request } from "../../state/session.ts";
import { ChartCard } from "./chart-card.tsx";
import { Episodes } from "./episodes.tsx";
import { RangeBar, useRangeKeys } from "./range-bar.tsx";

const POLL_MS = 15_000;
/** Cells of a chart: two per point of a wide screen are more than it shows. */
const POINTS = 1200;

export function Model({ name }: { name: string }) {
  const model = useSignal<ModelView | undefined>(undefined);
  const data = useSignal<ChartData | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const { params } = route.value;
  const key = `${name}?${params.range ?? ""}&${params.from ?? ""}&${params.to ?? ""}`;
  useEffect(() => followModel(name, { model, data, problem }), [key]);
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
  if (problem.value?.status === 404) return <Missing name={name} />;
  return (
    <>
      <header class="head">
        <h1>{name}</h1>
        {model.value && <StateMark state={stateOfModel(model.value)} />}
        {model.value && <span class="quiet">{sourceOf(model.value)}</span>}
      </header>
      <RangeBar />
      {problem.value && <ProblemNote problem={problem.value} again={() => setParams({})} />}
      {!data.value && !problem.value && <Loading />}
      {data.value && model.value && <ChartCard data={data.value} model={model.value} chosen={params.at} />}
      {data.value && (
        <Episodes
          anomalies={data.value.anomalies}
          isLive={model.value?.live !== undefined}
          chosen={params.at}
          onChoose={(anomaly) =>
            setParams({ at: anomaly.id, ...toParams(frame(anomaly, Date.now() / 1000)) })
          }
          onJudge={(anomaly, verdict) => void judgeChosen(anomaly, verdict)}
        />
      )}
    </>
  );
}

function Missing({ name }: { name: string }) {
  const { modelMissing, toModels } = texts.value;
  return (
    <div class="note problem" role="alert">
      <h1>{name}</h1>
      <p>{modelMissing(name)}</p>
      <a href={buildRoute(["models"])}>{toModels}</a>
    </div>
  );
}

interface Shown {
  readonly model: { value: ModelView | undefined };
  readonly data: { value: ChartData | undefined };
  readonly problem: { value: Problem | undefined };
}

/** Reads model and range now and then. @returns a function that ends it */
function followModel(name: string, shown: Shown): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const read = async () => {
    if (document.hidden) return;
    try {
      const { params } = route.value;
      const [model] = await request<readonly [ModelView]>(`/models/${encodeURIComponent(name)}`, { signal });
      shown.model.value = model;
      const range = await rangeOf(name, params, signal);
      const data = await readSeries(nameOf(model), range, { points: POINTS, signal });
      shown.data.value ??= data;
      shown.data.value = await addExpected(data, model, { range, signal });
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
  return () => {
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
