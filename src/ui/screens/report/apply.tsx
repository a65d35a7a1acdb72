// Dialog that applies the proposal of a report, and the button that undoes it.
import type { ModelView } from "../../../api/model.ts";
import type { ProposalView } from "../../../api/server/report.ts";
import { changeOf, readProposal, type SettingChange } from "../../lib/anomalies/proposal.ts";
import { useAction } from "../../parts/action.ts";
import { describeMute } from "../../parts/anomalies/describe-mute.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { Table } from "../../parts/table.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { readStored } from "../../state/models.ts";
import { texts } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";

/** A request that undoes a change. */
export interface Undo {
  readonly path: string;
  readonly body: object;
}

interface ApplyProps {
  readonly model: string;
  readonly proposal: ProposalView;
  /** The proposal in words. */
  readonly about: string;
  readonly onClose: () => void;
  readonly onApplied: (undo: Undo) => void;
}

export function ApplyDialog({ model, proposal, about, onClose, onApplied }: ApplyProps) {
  const { reportPage: own, tune, settingsTab } = texts.value;
  const stored = useAnswer(model, (signal) => readStored(model, signal));
  const action = useAction();
  const problem = stored.problem ?? action.problem.value;
  const change = stored.value && changeOfStored(proposal, stored.value.model);
  const apply = async () => {
    const { path, method } = proposal;
    const { body, undo } = change!;
    if (!(await action.run(() => request(path, { method, body, ifMatch: stored.value!.etag })))) return;
    onApplied({ path, body: undo });
    onClose();
  };
  return (
    <Dialog title={own.applyTo(model)} onClose={onClose}>
      <p>{about}</p>
      {!change && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={stored.again} />}
      {change && (
        <>
          <Table titles={Object.values(settingsTab.columns)}>
            <tr>
              <th scope="row">{change.key}</th>
              <td>{change.before.join("; ") || "–"}</td>
              <td>{change.after.join("; ")}</td>
            </tr>
          </Table>
          <p class="actions">
            <button type="button" class="primary" disabled={action.isBusy.value} onClick={() => void apply()}>
              {tune.apply}
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}

function changeOfStored(proposal: ProposalView, model: ModelView): SettingChange {
  const { timezone } = model.settings as { readonly timezone?: string };
  return changeOf(readProposal(proposal), model, (window) => describeMute(window, timezone));
}

/** @param onUndone called once it is undone */
export function Applied({ undo: { path, body }, onUndone }: { undo: Undo; onUndone: () => void }) {
  const { reportPage: own, tune } = texts.value;
  const action = useAction();
  const undo = async () => {
    if (await action.run(() => request(path, { method: "PATCH", body }))) onUndone();
  };
  return (
    <>
      <p role="status">
        {own.applied}{" "}
        <button type="button" disabled={action.isBusy.value} onClick={() => void undo()}>
          {tune.undo}
        </button>
      </p>
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </>
  );
}
