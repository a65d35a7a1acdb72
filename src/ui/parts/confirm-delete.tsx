// Dialog of a deletion, a question, or by typing the name where it is for good; after a conflict it can be forced.
import { useSignal } from "@preact/signals";
import { formatSpan } from "../lib/format.ts";
import { texts } from "../state/preferences.ts";
import { session } from "../state/session.ts";
import { useAction } from "./action.ts";
import { Dialog } from "./dialog.tsx";
import { ActionForm, Input } from "./form/controls.tsx";

interface ConfirmProps {
  readonly name: string;
  readonly title: string;
  /** What is lost with it. */
  readonly warning?: string;
  /** Whether it cannot be undone, whatever the server keeps. */
  readonly isFinal?: boolean;
  /** @param isForced the reader insists after a conflict */
  readonly work: (isForced: boolean) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onDeleted?: () => Promise<void> | void;
}

export function ConfirmDelete({ name, title, warning, work, onClose, onDeleted, ...props }: ConfirmProps) {
  const typed = useSignal("");
  const action = useAction();
  const { typeName, remove, anyway, undoable } = texts.value.deletion;
  const keptSeconds = props.isFinal ? 0 : (session.value?.bin_seconds ?? 0);
  const isFinal = keptSeconds === 0;
  const isConflict = action.problem.value?.status === 409;
  const submit = async () => {
    if (!(await action.run(() => work(isConflict)))) return;
    onClose();
    await onDeleted?.();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm action={action} onSubmit={submit}>
        {warning && <p>{warning}</p>}
        {isFinal ? (
          <Input
            label={typeName(name)}
            value={typed.value}
            autocomplete="off"
            spellcheck={false}
            onInput={(value) => (typed.value = value)}
          />
        ) : (
          <p class="quiet">{undoable(formatSpan(keptSeconds * 1000))}</p>
        )}
        <button
          type="submit"
          class="danger"
          disabled={(isFinal && typed.value !== name) || action.isBusy.value}
        >
          {isConflict ? anyway : remove}
        </button>
      </ActionForm>
    </Dialog>
  );
}
