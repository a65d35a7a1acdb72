// First screen: incidents in progress, missing data, failures, limits ahead, anomalies to judge.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { NowView } from "../../../api/server/now.ts";
import { modelStates } from "../../../core/model/model-state.ts";
import { buildRoute } from "../../lib/route.ts";
import { useAction } from "../../parts/action.ts";
import { Failing, NoData } from "../../parts/attention/troubles.tsx";
import { ExternalUrlForm } from "../../parts/external-url.tsx";
import { StateMark } from "../../parts/marks.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { judge } from "../../state/anomalies/anomalies.ts";
import { now } from "../../state/anomalies/now.ts";
import { texts } from "../../state/preferences.ts";
import { hasSample, removeSample } from "../../state/sample.ts";
import { may } from "../../state/session.ts";
import { Bounds, Unjudged } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Unusual } from "./unusual.tsx";

const POLL_MS = 15_000;
/** Of a server with thousands of models an answer takes a part of a second, and changes never end. */
const BURST_MS = 5000;

export function Now() {
  useEffect(() => now.follow(POLL_MS, ["model", "anomaly", "bucket"], BURST_MS), []);
  const { value, problem } = now.loaded.value;
  const isEmpty = value !== undefined && Object.keys(value.states).length === 0;
  return (
    <>
      <header class="head">
        <h1>{texts.value.now}</h1>
        {value && <States states={value.states} />}
        {value && !isEmpty && <Ways />}
      </header>
      {!value && !problem && <Loading />}
      {!value && problem && <ProblemNote problem={problem} again={() => void now.refresh()} />}
      {value && (isEmpty ? <FirstSteps /> : <Answer view={value} />)}
    </>
  );
}

/** How many models there are in each state; each leads to their list. */
function States({ states }: Pick<NowView, "states">) {
  return (
    <nav class="chips" aria-label={texts.value.models}>
      {modelStates
        .filter((state) => states[state] !== undefined)
        .map((state) => (
          <a key={state} class="chip" href={buildRoute(["models"], { state })}>
            <StateMark state={state} /> <span class="count">{states[state]}</span>
          </a>
        ))}
    </nav>
  );
}

/** What runs full next, and what the week was like. */
function Ways() {
  const { fullNext, ofWeek } = texts.value.nowPage;
  return (
    <span class="actions end">
      <a href={buildRoute(["capacity"])}>{fullNext}</a>
      <a href={buildRoute(["report"])}>{ofWeek}</a>
    </span>
  );
}

/** Says that there is sample data, and removes it. */
function SampleNote() {
  const { nowPage: own } = texts.value;
  const isThere = useSignal(false);
  const action = useAction();
  useEffect(() => {
    void action.run(async () => (isThere.value = await hasSample()));
  }, []);
  const remove = async () => {
    if (await action.run(removeSample)) isThere.value = false;
    await now.refresh();
  };
  if (!isThere.value || !may.value("admin")) return null;
  return (
    <p class="actions quiet">
      {own.sampleThere}
      <button type="button" disabled={action.isBusy.value} onClick={() => void remove()}>
        {own.sampleRemove}
      </button>
    </p>
  );
}

function Answer({ view }: { view: NowView }) {
  const action = useAction();
  const onJudge = async (anomalies: readonly AnomalyView[], verdict: boolean) => {
    await action.run(() => Promise.all(anomalies.map((anomaly) => judge(anomaly, verdict))));
    await now.refresh();
  };
  return (
    <>
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      <SampleNote />
      <div class="now">
        <Unusual view={view} onJudge={(list, verdict) => void onJudge(list, verdict)} />
        <div>
          <NoData view={view} />
          <Failing view={view} />
          <Bounds view={view} />
          <Unjudged view={view} onJudge={(list, verdict) => void onJudge(list, verdict)} />
        </div>
      </div>
      {may.value("admin") && <ExternalUrlForm isAsked />}
    </>
  );
}
