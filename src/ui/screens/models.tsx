// Models: every model with its state, worst first; filter, search, start, stop and train.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ModelView } from "../../api/model.ts";
import { type ModelStateName, modelStates, nameOf, stateOfModel, worstFirst } from "../lib/model-state.ts";
import { buildRoute } from "../lib/route.ts";
import { Empty, Loading, ProblemNote } from "../parts/notes.tsx";
import { models, newestAnomalies } from "../state/models.ts";
import { texts } from "../state/preferences.ts";
import { route, setParams } from "../state/route.ts";
import { may } from "../state/session.ts";
import { ModelsTable } from "./models/table.tsx";

const POLL_MS = 10_000;
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
        <ModelsTable models={shown.slice(0, limit.value)} />
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
