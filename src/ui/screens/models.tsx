// Models: pages of models with their states, worst first; filter, search, start, stop and train.
import { useEffect } from "preact/hooks";
import { type ModelStateName, modelStates } from "../../core/model/model-state.ts";
import { nameOf } from "../lib/model-state.ts";
import { buildRoute } from "../lib/route.ts";
import { Empty, Loading, ProblemNote } from "../parts/notes.tsx";
import { type ModelPage, modelPage, newestAnomalies, PAGE } from "../state/models.ts";
import { texts } from "../state/preferences.ts";
import { route, setParams } from "../state/route.ts";
import { may } from "../state/session.ts";
import { ModelsTable } from "./models/table.tsx";

const POLL_MS = 10_000;

export function Models() {
  const { state, q = "", page } = route.value.params;
  const { value, problem } = modelPage.loaded.value;
  const names = value?.models.map(nameOf).join(";");
  useEffect(() => modelPage.follow(POLL_MS, ["model", "live", "anomaly", "job"]), [state, q, page]);
  useEffect(() => newestAnomalies.follow(3 * POLL_MS, ["anomaly"]), [names]);
  const { models: title, search } = texts.value;
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        <input
          type="search"
          aria-label={search}
          placeholder={search}
          value={q}
          onInput={({ currentTarget }) => setParams({ q: currentTarget.value, page: undefined })}
        />
        {may.value("admin") && <NewModelLink />}
      </header>
      {!value && !problem && <Loading />}
      {!value && problem && <ProblemNote problem={problem} again={() => void modelPage.refresh()} />}
      {value && (value.total > 0 || state || q ? <List page={value} /> : <NoModels />)}
    </>
  );
}

function NewModelLink() {
  return (
    <a class="button primary" href={buildRoute(["new"])}>
      {texts.value.addModel}
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

function List({ page: { models, total, counts } }: { page: ModelPage }) {
  const { all: everything, states, noneWithState, noneWithName, clear } = texts.value;
  const { state, q: text } = route.value.params as { readonly state?: ModelStateName; readonly q?: string };
  const inAll = counts.values().reduce((sum, n) => sum + n, 0);
  const pick = (next?: ModelStateName) => setParams({ state: next, page: undefined });
  return (
    <>
      <fieldset class="chips">
        <legend class="hidden">{texts.value.columns.state}</legend>
        <Chip label={everything} count={inAll} isOn={!state} onPick={() => pick()} />
        {modelStates
          .filter((name) => counts.has(name))
          .map((name) => (
            <Chip
              key={name}
              label={states[name]}
              count={counts.get(name)!}
              isOn={state === name}
              onPick={() => pick(state === name ? undefined : name)}
            />
          ))}
      </fieldset>
      {models.length === 0 ? (
        <Empty>
          <p>{text ? noneWithName(text) : noneWithState(state ? states[state] : "")}</p>
          <button
            type="button"
            onClick={() => setParams({ state: undefined, q: undefined, page: undefined })}
          >
            {clear}
          </button>
        </Empty>
      ) : (
        <ModelsTable models={models} />
      )}
      {total > PAGE && <Pager total={total} />}
    </>
  );
}

function Pager({ total }: { total: number }) {
  const { before, after, shownOf } = texts.value.pages;
  const page = Number(route.value.params.page ?? 0);
  const end = Math.min(total, (page + 1) * PAGE);
  const turn = (to: number) => {
    setParams({ page: to > 0 ? String(to) : undefined });
    scrollTo(0, 0);
  };
  return (
    <nav class="actions" aria-label={texts.value.models}>
      <button type="button" disabled={page === 0} onClick={() => turn(page - 1)}>
        {before}
      </button>
      <span>{shownOf(page * PAGE + 1, end, total)}</span>
      <button type="button" disabled={end >= total} onClick={() => turn(page + 1)}>
        {after}
      </button>
    </nav>
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
