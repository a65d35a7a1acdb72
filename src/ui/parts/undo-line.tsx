// Line about the last deletion with its undo, said politely; it stays while it has the focus or the pointer.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { lastDeletion, undoDeletion } from "../state/bin.ts";
import { texts } from "../state/preferences.ts";

const STAYS_MS = 30_000;

export function UndoLine() {
  const line = useRef<HTMLDivElement>(null);
  // Readers of the screen announce what changes in a place that is there.
  const isThere = useSignal(false);
  useEffect(() => {
    isThere.value = true;
  }, []);
  const deletion = isThere.value ? lastDeletion.value : undefined;
  useEffect(() => {
    if (!deletion) return;
    const timer = setInterval(() => {
      const isInUse = line.current?.matches(":hover, :focus-within");
      if (!isInUse) lastDeletion.value = undefined;
    }, STAYS_MS);
    return () => clearInterval(timer);
  }, [deletion]);
  const { deletion: own, unreachable } = texts.value;
  return (
    <div class="undo" ref={line}>
      <span role="status">
        {deletion && (deletion.state === "deleted" ? own.deleted : own.restored)(deletion.name)}
        {deletion?.problem && <span class="bad"> {deletion.problem.message || unreachable}</span>}
      </span>
      {deletion?.state === "deleted" && (
        <button type="button" class="primary" onClick={() => void undoDeletion()}>
          {own.undo}
        </button>
      )}
      {deletion && (
        <button type="button" onClick={() => (lastDeletion.value = undefined)}>
          {own.hide}
        </button>
      )}
    </div>
  );
}
