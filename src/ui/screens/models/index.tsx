// Models: pages of models with their states, worst first; filter, search, start, stop and train.
import { useEffect } from "preact/hooks";
import { type ModelStateName, modelStates } from "../../../core/model/model-state.ts";
import { nameOf } from "../../lib/model-state.ts";
import { buildRoute } from "../../lib/route.ts";
import { ClearFilter, ListSearch, Pager, StateChips } from "../../parts/list.tsx";
import { Empty, Loading, ProblemNote } from "../../parts/notes.tsx";
import { type ModelPage, modelPage, newestAnomalies, PAGE } from "../../state/models.ts";
import { texts } from "../../state/preferences.ts";
import { route } from "../../state/route.ts";
import { may } from "../../state/session.ts";
import { ModelsTable } from "./table.tsx";

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
        <ListSearch label={search} />
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
      {may.value("admin") && <NewModelLink />}
    </Empty>
  );
}

function List({ page: { models, total, counts } }: { page: ModelPage }) {
  const { models: title, states, columns, noneWithState, noneWithName } = texts.value;
  const { state, q: text } = route.value.params as { readonly state?: ModelStateName; readonly q?: string };
  return (
    <>
      <StateChips
        label={columns.state}
        states={modelStates}
        counts={counts}
        nameOf={(name) => states[name]}
      />
      {models.length === 0 ? (
        <Empty>
          <p>{text ? noneWithName(text) : noneWithState(state ? states[state] : "")}</p>
          <ClearFilter />
        </Empty>
      ) : (
        <ModelsTable models={models} />
      )}
      <Pager label={title} total={total} size={PAGE} />
    </>
  );
}
