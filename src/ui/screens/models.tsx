// Models: every model with its state, worst first; filter, search, start, stop and train.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AnomalyView } from "../../api/anomaly.ts";
import type { ModelView } from "../../api/model.ts";
import { Problem } from "../api/client.ts";
import { formatSpan } from "../lib/format.ts";
import {
  type ModelStateName,
  modelStates,
  nameOf,
  sourceOf,
  stateOfModel,
  worstFirst,
} from "../lib/model-state.ts";
import { buildRoute } from "../lib/route.ts";
import { ScoreMark, StateMark } from "../parts/marks.tsx";
import { Empty, Loading, ProblemNote } from "../parts/notes.tsx";
import { TableHead } from "../parts/table-head.tsx";
import { liveScores } from "../state/events.ts";
import { actions, models, newestAnomalies } from "../state/models.ts";
import { moments, texts } from "../state/preferences.ts";
import { route, setParams } from "../state/route.ts";
import { may } from "../state/session.ts";

const POLL_MS = 10_000;
/** Intervals after which the newest point is late. */
const LATE_INTERVALS = 3;
/** Rows beyond which only those near the view are drawn. */
const PAGE = 200;

export function Models() {
  useEffect(() => {
    const stops = [
      models.follow(POLL_MS, ["model", "live", "anomaly", "job"]),
      newestAnomalies.follow(3 * POLL_MS, ["anomaly"]),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const { models: title, search } = texts.value;
  const { value, problem } = models.loaded.value;
  const { state, q = "" } = route.value.params;
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        <input
          type="search"
          aria-label={search}
          placeholder={search}
          value={q}
          onInput={({ currentTarget }) => setParams({ q: currentTarget.value })}
        />
        {may.value("admin") && <NewModelLink />}
      </header>
      {!value && !problem && <Loading />}
      {!value && problem && <ProblemNote problem={problem} again={() => void models.refresh()} />}
      {value && value.length === 0 && <NoModels />}
      {value && value.length > 0 && <List all={value} state={state as ModelStateName | undefined} text={q} />}
    </>
  );
}

function NewModelLink() {
  return (
    <a class="button primary" href={buildRoute(["new"])}>
      {texts.value.newModel.title}
    </a>
  );
}

function NoModels() {
  const { noModels, whatIsAModel } = texts.value;
  return (
    <Empty>
      <h2>{noModels}</h2>
      <p>{whatIsAModel}</p>
      <pre>
        {
          "torus import-csv FILE.csv --bucket NAME\ntorus create-model model.yml\ntorus train-model NAME --from now-30d\ntorus start-model NAME"
        }
      </pre>
    </Empty>
  );
}

function List({
  all,
  state,
  text,
}: {
  all: readonly ModelView[];
  state: ModelStateName | undefined;
  text: string;
}) {
  const { all: everything, states, noneWithState, noneWithName, clear } = texts.value;
  const shown = worstFirst(all).filter(
    (model) =>
      (!state || stateOfModel(model) === state) && nameOf(model).toLowerCase().includes(text.toLowerCase()),
  );
  const limit = useSignal(PAGE);
  const counts = Map.groupBy(all, stateOfModel);
  return (
    <>
      <fieldset class="chips">
        <legend class="hidden">{texts.value.columns.state}</legend>
        <Chip
          label={everything}
          count={all.length}
          isOn={!state}
          onPick={() => setParams({ state: undefined })}
        />
        {modelStates
          .filter((name) => counts.has(name))
          .map((name) => (
            <Chip
              key={name}
              label={states[name]}
              count={counts.get(name)!.length}
              isOn={state === name}
              onPick={() => setParams({ state: state === name ? undefined : name })}
            />
          ))}
      </fieldset>
      {shown.length === 0 ? (
        <Empty>
          <p>{text ? noneWithName(text) : noneWithState(state ? states[state] : "")}</p>
          <button type="button" onClick={() => setParams({ state: undefined, q: undefined })}>
            {clear}
          </button>
        </Empty>
      ) : (
        <Table models={shown.slice(0, limit.value)} />
      )}
      {shown.length > limit.value && (
        <button type="button" onClick={() => (limit.value += PAGE)}>
          {`+ ${Math.min(PAGE, shown.length - limit.value)}`}
        </button>
      )}
    </>
  );
}

interface ChipProps {
  readonly label: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onPick: () => void;
}

function Chip({ label, count, isOn, onPick }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onPick}>
      {label} <span class="count">{count}</span>
    </button>
  );
}

function Table({ models: shown }: { models: readonly ModelView[] }) {
  const { columns } = texts.value;
  return (
    <table class="models">
      <TableHead titles={Object.values(columns)} />
      <tbody>
        {shown.map((model) => (
          <Row key={nameOf(model)} model={model} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ model }: { model: ModelView }) {
  const name = nameOf(model);
  const state = stateOfModel(model);
  const newest = useComputed(() => newestAnomalies.loaded.value.value?.get(name));
  const problem = useSignal<Problem | undefined>(undefined);
  const score = useComputed(() => liveScores.value.get(name) ?? model.live?.anomaly?.score);
  const error = problem.value?.message ?? model.live?.last_error?.message;
  return (
    <tr class={state}>
      <td>
        <StateMark state={state} />
      </td>
      <th scope="row">
        <a href={buildRoute(["models", name])}>{name}</a>
        <small>{sourceOf(model)}</small>
        {error && (problem.value || state === "failing") && <small class="bad">{error}</small>}
      </th>
      <td>
        <ScoreMark score={score.value} />
      </td>
      <td>
        <Newest anomaly={newest.value} />
      </td>
      <td>
        <Seen model={model} />
      </td>
      <td>
        <Actions model={model} onProblem={(found) => (problem.value = found)} />
      </td>
    </tr>
  );
}

function Newest({ anomaly }: { anomaly: AnomalyView | undefined }) {
  const { ago, since, peak } = texts.value;
  if (!anomaly) return <span class="quiet">–</span>;
  const { id, model, start, end, peak_score } = anomaly;
  const now = Date.now() / 1000;
  const when = end === null ? since(moments.value.moment(start, now)) : ago(formatSpan((now - end) * 1000));
  return (
    <a href={buildRoute(["models", model], { at: id })}>
      {when}, {peak(peak_score.toFixed(0))}
    </a>
  );
}

function Seen({ model: { live, state } }: { model: ModelView }) {
  const { ago, never } = texts.value;
  if (!live) return <span class="quiet">–</span>;
  const at = live.newest_point ?? live.last_window;
  if (at === null || at === undefined) return <span class="bad">{never}</span>;
  const age = Math.max(0, Date.now() / 1000 - at);
  const isLate = age - live.offset > LATE_INTERVALS * (state.bucket_interval ?? 60);
  return <span class={isLate ? "bad" : ""}>{ago(formatSpan(age * 1000))}</span>;
}

function Actions({
  model,
  onProblem,
}: {
  model: ModelView;
  onProblem: (problem: Problem | undefined) => void;
}) {
  if (!may.value("run")) return null;
  const { start, stop, train, startModel, stopModel } = texts.value;
  const name = nameOf(model);
  const act = async (work: (name: string) => Promise<unknown>) => {
    onProblem(undefined);
    try {
      await work(name);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      onProblem(error);
    }
    await models.refresh();
  };
  if (model.live)
    return (
      <button type="button" aria-label={stopModel(name)} onClick={() => void act(actions.stop)}>
        {stop}
      </button>
    );
  if (!model.state.trained)
    return (
      <button
        type="button"
        onClick={() => void act(actions.train)}
        disabled={stateOfModel(model) === "training"}
      >
        {train}
      </button>
    );
  return (
    <button type="button" aria-label={startModel(name)} onClick={() => void act(actions.start)}>
      {start}
    </button>
  );
}
