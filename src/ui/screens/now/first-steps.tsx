// First steps on a server without models: a file, a data source, or sample data; no command is needed.
import { useSignal } from "@preact/signals";
import { buildRoute } from "../../lib/route.ts";
import { useAction } from "../../parts/action.ts";
import { CsvDrop } from "../../parts/csv/csv-drop.tsx";
import { Empty, ProblemNote } from "../../parts/notes.tsx";
import { now } from "../../state/anomalies/now.ts";
import { texts } from "../../state/preferences.ts";
import { goTo } from "../../state/route.ts";
import { createSample } from "../../state/sample.ts";
import { may } from "../../state/session.ts";

export function FirstSteps() {
  const { nowPage: own, noModels, whatIsAModel } = texts.value;
  if (!may.value("admin"))
    return (
      <Empty>
        <h2>{noModels}</h2>
        <p>{whatIsAModel}</p>
      </Empty>
    );
  return (
    <>
      <p class="lead">{whatIsAModel}</p>
      <div class="ways">
        <CsvDrop onWritten={(bucket) => goTo(["new"], { bucket })} />
        <section class="card">
          <h2>{own.source}</h2>
          <p>{own.sourceWhat}</p>
          <a class="button primary" href={buildRoute(["buckets"], { new: "influxdb" })}>
            {own.connect}
          </a>
        </section>
        <Sample />
      </div>
    </>
  );
}

function Sample() {
  const { nowPage: own } = texts.value;
  const action = useAction();
  const isMade = useSignal(false);
  const create = async () => {
    isMade.value = await action.run(() => createSample());
    await now.refresh();
  };
  return (
    <section class="card">
      <h2>{own.sample}</h2>
      <p>{own.sampleWhat}</p>
      <button
        type="button"
        class="primary"
        disabled={action.isBusy.value || isMade.value}
        onClick={() => void create()}
      >
        {action.isBusy.value ? own.sampleMaking : own.sampleTry}
      </button>
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </section>
  );
}
