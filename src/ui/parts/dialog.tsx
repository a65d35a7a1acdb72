// Modal dialog: named by its title, closed by Escape or a button; focus returns to where it was.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "../state/preferences.ts";
import { needsToken } from "../state/session.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Open while it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key: what is typed belongs to the dialog.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    return () => {
      dialog.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  // The login lies over the page; a modal dialog would lie over the login, and opens again after it.
  useLayoutEffect(() => {
    if (needsToken.value) element.current!.close();
    else element.current!.showModal();
  }, [needsToken.value]);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet-button" aria-label={texts.value.close} onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
