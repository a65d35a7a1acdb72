// Deletion: a button, and a dialog that wants the name of what goes; the focus returns to the button.
import { type Signal, useSignal } from "@preact/signals";
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
  const { title, yes } = texts.value.deletion;
  // The login lies over the page, and a modal dialog would lie over the login.
  useEffect(() => {
    if (needsToken.value) dialog.current?.close();
  }, [needsToken.value]);
  const remove = async () => {
    try {
      await onDelete(problem.peek()?.status === 409);
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
        <Question
          name={name}
          warning={warning}
          typed={typed}
          problem={problem.value}
          onDelete={() => void remove()}
          onClose={() => dialog.current?.close()}
        />
      </dialog>
    </>
  );
}

interface QuestionProps extends Pick<DeleteProps, "name" | "warning"> {
  readonly typed: Signal<string>;
  readonly problem: Problem | undefined;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

function Question({ name, warning, typed, problem, onDelete, onClose }: QuestionProps) {
  const { title, question, yes, anyway, no } = texts.value.deletion;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.value === name) onDelete();
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
      {problem && (
        <p class="bad" role="alert">
          {problem.message || texts.value.unreachable}
        </p>
      )}
      <div class="row">
        <button type="submit" class="danger" disabled={typed.value !== name}>
          {problem?.status === 409 ? anyway : yes}
        </button>
        <button type="button" onClick={onClose}>
          {no}
        </button>
      </div>
    </form>
  );
}
