// Modal dialog: named by its title, closed by Escape or a button; focus returns to where it was.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "../state/preferences.ts";
import { needsToken } from "../state/session.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether it comes from below; a tap outside closes it. */
  readonly isSheet?: boolean;
  readonly children: ComponentChildren;
}

/** Open while it is rendered. */
export function Dialog({ title, onClose, isSheet = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key: what is typed belongs to the dialog.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    // A tap on its ground is one outside of what it holds; keys have Escape.
    if (isSheet) dialog.addEventListener("click", ({ target }) => target === dialog && onClose());
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
      class={isSheet ? "sheet" : ""}
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
