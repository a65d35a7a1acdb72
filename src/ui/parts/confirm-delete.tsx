// Dialog of a deletion, confirmed by typing the name; after a conflict it can be forced.
import { useSignal } from "@preact/signals";
import { texts } from "../state/preferences.ts";
import { useAction } from "./action.ts";
import { Dialog } from "./dialog.tsx";
import { ProblemNote } from "./notes.tsx";

interface ConfirmProps {
  readonly name: string;
  readonly title: string;
  /** What is lost with it. */
  readonly warning?: string;
  /** @param isForced the reader insists after a conflict */
  readonly work: (isForced: boolean) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onDeleted?: () => Promise<void> | void;
}

export function ConfirmDelete({ name, title, warning, work, onClose, onDeleted }: ConfirmProps) {
  const typed = useSignal("");
  const action = useAction();
  const { typeName, remove, anyway } = texts.value.deletion;
  const isConflict = action.problem.value?.status === 409;
  const submit = async () => {
    if (!(await action.run(() => work(isConflict)))) return;
    onClose();
    await onDeleted?.();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {warning && <p>{warning}</p>}
        <label>
          {typeName(name)}
          <input
            value={typed.value}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        </label>
        {action.problem.value && <ProblemNote problem={action.problem.value} />}
        <button type="submit" class="danger" disabled={typed.value !== name || action.isBusy.value}>
          {isConflict ? anyway : remove}
        </button>
      </form>
    </Dialog>
  );
}
