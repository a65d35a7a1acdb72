// Deletion: a button, and a dialog that wants the name of what goes; the focus returns to the button.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../api/client.ts";
import { texts } from "../state/preferences.ts";
import { needsToken } from "../state/session.ts";

interface DeleteProps {
  readonly name: string;
  /** What is lost. */
  readonly warning: string;
  /** @param isForced the reader insists after a conflict */
  readonly onDelete: (isForced: boolean) => Promise<void>;
}

export function DeleteButton({ name, warning, onDelete }: DeleteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal("");
  const problem = useSignal<Problem | undefined>(undefined);
  const { title, question, yes, anyway, no } = texts.value.deletion;
  const isConflict = problem.value?.status === 409;
  // The login lies over the page, and a modal dialog would lie over the login.
  useEffect(() => {
    if (needsToken.value) dialog.current?.close();
  }, [needsToken.value]);
  const remove = async () => {
    try {
      await onDelete(isConflict);
      dialog.current?.close();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
    }
  };
  const open = () => {
    typed.value = "";
    problem.value = undefined;
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" class="danger" aria-label={title(name)} onClick={open}>
        {yes}
      </button>
      <dialog ref={dialog} aria-label={title(name)}>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.value === name) void remove();
          }}
        >
          <h2>{title(name)}</h2>
          <p>{warning}</p>
          <label>
            {question(name)}
            <input
              value={typed.value}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
            />
          </label>
          {problem.value && (
            <p class="bad" role="alert">
              {problem.value.message || texts.value.unreachable}
            </p>
          )}
          <div class="row">
            <button type="submit" class="danger" disabled={typed.value !== name}>
              {isConflict ? anyway : yes}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              {no}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
