// What was deleted: restored, under another name where its own is taken, or deleted for good.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { BinEntryView } from "../../../api/server/bin.ts";
import { useAction } from "../../parts/action.ts";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { Table } from "../../parts/table.tsx";
import { binEntries, restoreEntries } from "../../state/bin.ts";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";

export function Bin() {
  useEffect(() => void binEntries.refresh(), []);
  const { title, what, none, columns } = texts.value.binCard;
  const { value, problem } = binEntries.loaded.value;
  return (
    <section class="card" aria-labelledby="bin">
      <h2 id="bin">{title}</h2>
      <p class="quiet">{value?.length === 0 ? none : what}</p>
      {problem && <ProblemNote problem={problem} again={() => void binEntries.refresh()} />}
      {value && value.length > 0 && (
        <Table titles={Object.values(columns)}>
          {value.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </Table>
      )}
    </section>
  );
}

function Row({ entry }: { entry: BinEntryView }) {
  const { name, kind, model, deleted_timestamp, deleted_by, expires_timestamp } = entry;
  const { kinds, ofModel } = texts.value.binCard;
  const moment = (at: number) => moments.value.moment(at, serverNow());
  return (
    <tr>
      <th scope="row">
        {name} {model !== undefined && <small>{ofModel(model)}</small>}
      </th>
      <td>{kinds[kind]}</td>
      <td>
        {moment(deleted_timestamp)} {deleted_by !== undefined && <small>{deleted_by}</small>}
      </td>
      <td>{moment(expires_timestamp)}</td>
      <td>
        <Actions entry={entry} />
      </td>
    </tr>
  );
}

function Actions({ entry: { id, name } }: { entry: BinEntryView }) {
  const { restore, restoreOf, restoreAs, remove, removeOf } = texts.value.binCard;
  const isRemoving = useSignal(false);
  const newName = useSignal("");
  const action = useAction();
  const isTaken = action.problem.value?.status === 409;
  const submit = async () => {
    const chosen = isTaken && newName.value !== "" ? newName.value : undefined;
    if (await action.run(() => restoreEntries(id, chosen))) await binEntries.refresh();
  };
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {isTaken && (
        <input
          aria-label={restoreAs(name)}
          placeholder={restoreAs(name)}
          value={newName.value}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => (newName.value = currentTarget.value)}
        />
      )}
      <button type="submit" aria-label={restoreOf(name)} disabled={action.isBusy.value}>
        {restore}
      </button>
      <button type="button" aria-label={removeOf(name)} onClick={() => (isRemoving.value = true)}>
        {remove}
      </button>
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      {isRemoving.value && (
        <ConfirmDelete
          isFinal
          name={name}
          title={removeOf(name)}
          work={() => request(`/bin/${id}`, { method: "DELETE" })}
          onClose={() => (isRemoving.value = false)}
          onDeleted={binEntries.refresh}
        />
      )}
    </form>
  );
}
