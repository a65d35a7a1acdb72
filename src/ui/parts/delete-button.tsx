// Button of a deletion, which opens its dialog.
import { useSignal } from "@preact/signals";
import { texts } from "../state/preferences.ts";
import { ConfirmDelete } from "./confirm-delete.tsx";

interface DeleteProps {
  readonly name: string;
  /** What is lost. */
  readonly warning: string;
  /** @param isForced the reader insists after a conflict */
  readonly onDelete: (isForced: boolean) => Promise<void>;
}

export function DeleteButton({ name, warning, onDelete }: DeleteProps) {
  const isOpen = useSignal(false);
  const { title, remove } = texts.value.deletion;
  return (
    <>
      <button type="button" class="danger" aria-label={title(name)} onClick={() => (isOpen.value = true)}>
        {remove}
      </button>
      {isOpen.value && (
        <ConfirmDelete
          name={name}
          title={title(name)}
          warning={warning}
          work={onDelete}
          onClose={() => (isOpen.value = false)}
        />
      )}
    </>
  );
}
