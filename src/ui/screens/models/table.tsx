// Table of models: state, score now, last anomaly, age of the last window; start, stop and train in the row.
import { signal, useComputed } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { ModelView } from "../../../api/model.ts";
import { stateOfModel } from "../../../core/model/model-state.ts";
import { addressOfAnomaly } from "../../lib/fleet.ts";
import { formatAge } from "../../lib/format.ts";
import { nameOf, sourceOf } from "../../lib/model-state.ts";
import { buildRoute } from "../../lib/route.ts";
import { loadStyles } from "../../parts/lazy.tsx";
import { ScoreMark, Standings, StateMark } from "../../parts/marks.tsx";
import { ModelActions } from "../../parts/model-actions.tsx";
import { NoValue, Table } from "../../parts/table.tsx";
import { serverNow } from "../../state/clock.ts";
import { liveScores } from "../../state/events.ts";
import { modelPage, newestAnomalies } from "../../state/models.ts";
import { moments, texts } from "../../state/preferences.ts";

/** Intervals after which the newest point is late. */
const LATE_INTERVALS = 3;

/** Loaded after the list itself. */
const sparkCell = signal<ComponentType<{ name: string }> | undefined>(undefined);

async function loadSparks(): Promise<void> {
  const [{ SparkCell }] = await Promise.all([import("../../shared-screens.ts"), loadStyles()]);
  sparkCell.value = SparkCell;
}

export function ModelsTable({ models: shown }: { models: readonly ModelView[] }) {
  useEffect(() => void loadSparks().catch(() => undefined), []);
  const { columns } = texts.value;
  return (
    <Table titles={Object.values(columns)}>
      {shown.map((model) => (
        <Row key={nameOf(model)} model={model} />
      ))}
    </Table>
  );
}

function Row({ model }: { model: ModelView }) {
  const name = nameOf(model);
  const state = stateOfModel(model);
  const newest = useComputed(() => newestAnomalies.loaded.value.value?.get(name));
  const score = useComputed(() => liveScores.value.get(name) ?? model.live?.score);
  const problem = model.live?.last_error;
  const error = problem && texts.value.problem(problem.code, problem.message);
  const SparkCell = sparkCell.value;
  return (
    <tr class={state}>
      <td>
        <StateMark state={state} />
      </td>
      <th scope="row">
        <a href={buildRoute(["models", name])}>{name}</a>
        <small>{sourceOf(model)}</small>
        {error && state === "failing" && <small class="bad">{error}</small>}
        <Standings live={model.live} units={model.units} />
        <SilentSeries count={model.state.series?.silent} />
      </th>
      <td>{SparkCell && <SparkCell name={name} />}</td>
      <td>
        <ScoreMark score={score.value} limits={model.state.thresholds} />
      </td>
      <td>
        <Newest anomaly={newest.value} />
      </td>
      <td>
        <Seen model={model} />
      </td>
      <td>
        <ModelActions model={model} refresh={modelPage.refresh} />
      </td>
    </tr>
  );
}

/** Of a fleet. */
function SilentSeries({ count = 0 }: { count: number | undefined }) {
  return count > 0 ? <small class="bad">{texts.value.standing.silentSeries(count)}</small> : null;
}

function Newest({ anomaly }: { anomaly: AnomalyView | undefined }) {
  const { ago, since, peak } = texts.value;
  if (!anomaly) return <NoValue />;
  const { start, end, peak_score } = anomaly;
  const now = serverNow();
  const when = end === null ? since(moments.value.moment(start, now)) : ago(formatAge(now - end));
  return (
    <a href={addressOfAnomaly(anomaly)}>
      {when}, {peak(peak_score.toFixed(0))}
    </a>
  );
}

function Seen({ model: { live, state } }: { model: ModelView }) {
  const { ago, never } = texts.value;
  if (!live) return <NoValue />;
  const at = live.newest_point ?? live.last_window;
  if (at === null || at === undefined) return <span class="bad">{never}</span>;
  const age = Math.max(0, serverNow() - at);
  const isLate = age - live.offset > LATE_INTERVALS * (state.bucket_interval ?? 60);
  return <span class={isLate ? "bad" : ""}>{ago(formatAge(age))}</span>;
}
