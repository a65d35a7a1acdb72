// Versions of a model, one per training: restored with a way back; trained anew, now or on a schedule.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { VersionView } from "../../../api/model.ts";
import { isFleet } from "../../lib/fleet.ts";
import { nameOf } from "../../lib/model-state.ts";
import { useAction } from "../../parts/action.ts";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { Empty, Loading, ProblemNote } from "../../parts/notes.tsx";
import { NoValue, Table } from "../../parts/table.tsx";
import { serverNow } from "../../state/clock.ts";
import { moments, numbers, texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { may, request } from "../../state/session.ts";
import { Compare } from "./compare.tsx";
import { Retraining } from "./retraining.tsx";
import { TrainDialog } from "./train-dialog.tsx";
import { TrainingCard } from "./training-card.tsx";

const POLL_MS = 30_000;

export function ModelVersions({ model, refresh }: ModelTabProps) {
  const name = nameOf(model);
  const path = `/models/${encodeURIComponent(name)}`;
  const versions = useMemo(
    () => createResource((signal) => request<readonly VersionView[]>(`${path}/versions`, { signal })),
    [path],
  );
  useEffect(() => versions.follow(POLL_MS, ["job", "model"]), [versions]);
  const isTraining = useSignal(false);
  const { value, problem } = versions.loaded.value;
  const { train, none } = texts.value.versionsPage;
  const newest = value?.toSorted((a, b) => b.version.created_timestamp - a.version.created_timestamp);
  return (
    <>
      {may.value("run") && (
        <div class="actions">
          <button type="button" class="primary" onClick={() => (isTraining.value = true)}>
            {train}
          </button>
        </div>
      )}
      <TrainingCard model={model} onAgain={() => (isTraining.value = true)} />
      {isTraining.value && (
        <TrainDialog model={model} onClose={() => (isTraining.value = false)} onSubmitted={refresh} />
      )}
      {problem && <ProblemNote problem={problem} again={() => void versions.refresh()} />}
      {!value && !problem && <Loading />}
      {newest?.length === 0 && (
        <Empty>
          <p>{none}</p>
        </Empty>
      )}
      {newest && newest.length > 0 && (
        <VersionsTable
          list={newest}
          path={path}
          model={model}
          onChanged={async () => {
            await Promise.all([versions.refresh(), refresh()]);
          }}
        />
      )}
      <Retraining model={model} refresh={refresh} />
    </>
  );
}

interface TableProps extends Pick<ModelTabProps, "model"> {
  readonly list: readonly VersionView[];
  readonly path: string;
  readonly onChanged: () => Promise<void>;
}

function VersionsTable({ list, path, model, onChanged }: TableProps) {
  const { columns, restored, undo } = texts.value.versionsPage;
  const before = useSignal<{ readonly from: string; readonly to: string } | undefined>(undefined);
  const picked = useSignal<readonly string[]>([]);
  const action = useAction();
  const [first, second] = list.filter(({ version }) => picked.value.includes(version.name)).toReversed();
  // Of a fleet each series would have to be compared by itself.
  const canCompare = !isFleet(model);
  /** The two picked last stay. */
  const pick = (name: string, isOn: boolean) => {
    const others = picked.value.filter((other) => other !== name);
    picked.value = isOn ? [...others.slice(-1), name] : others;
  };
  const restore = async (version: string) => {
    const active = list.find(({ version }) => version.active)?.version.name;
    const send = () => request(`${path}/_restore`, { method: "POST", body: { version } });
    if (!(await action.run(send))) return;
    before.value = active === undefined ? undefined : { from: active, to: version };
    await onChanged();
  };
  return (
    <section>
      {before.value && (
        <p class="note" role="status">
          {restored(before.value.to)}{" "}
          <button type="button" onClick={() => void restore(before.value!.from)}>
            {undo(before.value.from)}
          </button>
        </p>
      )}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      {canCompare && list.length > 1 && !second && <p class="quiet">{texts.value.compare.hint}</p>}
      <Table titles={Object.values(columns)}>
        {list.map((entry) => (
          <Row
            key={entry.version.name}
            entry={entry}
            isBusy={action.isBusy.value}
            isPicked={picked.value.includes(entry.version.name)}
            onPick={canCompare ? (isOn) => pick(entry.version.name, isOn) : undefined}
            onRestore={() => void restore(entry.version.name)}
          />
        ))}
      </Table>
      <p class="quiet">{texts.value.versionsPage.measures}</p>
      {first && second && <Compare model={model} versions={[first, second]} />}
    </section>
  );
}

interface RowProps {
  readonly entry: VersionView;
  readonly isBusy: boolean;
  /** Whether it is compared. */
  readonly isPicked: boolean;
  /** Absent: versions are not compared. */
  readonly onPick: ((isOn: boolean) => void) | undefined;
  readonly onRestore: () => void;
}

function Row({ entry: { version, state }, isBusy, isPicked, onPick, onRestore }: RowProps) {
  const { active, restore, restoreVersion, range } = texts.value.versionsPage;
  const { moment } = moments.value;
  const now = serverNow();
  const { one, fixed } = numbers.value;
  const number = (value: number | undefined) => (value === undefined ? <NoValue /> : one(value));
  const count = (value: number | undefined) => (value === undefined ? <NoValue /> : fixed(value, 0));
  return (
    <tr class={version.active ? "chosen" : ""}>
      <th scope="row">
        {onPick ? (
          <label class="check">
            <input
              type="checkbox"
              aria-label={texts.value.compare.pick(version.name)}
              checked={isPicked}
              onChange={({ currentTarget }) => onPick(currentTarget.checked)}
            />
            {version.name}
          </label>
        ) : (
          version.name
        )}{" "}
        {version.active && <strong class="tag">{active}</strong>}
        {state.refused && <small class="bad">{state.refused}</small>}
      </th>
      <td>{moment(version.created_timestamp, now)}</td>
      <td>{range(moment(version.from, 0), moment(version.to, 0))}</td>
      <td>{count(state.points)}</td>
      <td>{number(state.loss)}</td>
      <td>{number(state.forecast_error)}</td>
      <td>{count(state.excluded)}</td>
      <td>
        {!version.active && may.value("run") && (
          <button
            type="button"
            aria-label={restoreVersion(version.name)}
            disabled={isBusy}
            onClick={onRestore}
          >
            {restore}
          </button>
        )}
      </td>
    </tr>
  );
}
