// Line about the last deletion or stop with its undo, said politely; it stays while it has the focus or the pointer.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../api/client.ts";
import { texts } from "../state/preferences.ts";
import { undoable } from "../state/undo.ts";

const STAYS_MS = 30_000;

export function UndoLine() {
  const line = useRef<HTMLDivElement>(null);
  // Readers of the screen announce what changes in a place that is there.
  const isThere = useSignal(false);
  useEffect(() => {
    isThere.value = true;
  }, []);
  const last = isThere.value ? undoable.value : undefined;
  useEffect(() => {
    if (!last) return;
    const timer = setInterval(() => {
      const isInUse = line.current?.matches(":hover, :focus-within");
      if (!isInUse) undoable.value = undefined;
    }, STAYS_MS);
    return () => clearInterval(timer);
  }, [last]);
  const { undo: own, unreachable } = texts.value;
  return (
    <div class="undo" ref={line}>
      <span role="status">
        {last && (last.isUndone ? own.undone : own.done)[last.what](last.name)}
        {last?.problem && <span class="bad"> {last.problem.message || unreachable}</span>}
      </span>
      {last && !last.isUndone && (
        <button type="button" class="primary" onClick={() => void undoLast()}>
          {own.undo}
        </button>
      )}
      {last && (
        <button type="button" onClick={() => (undoable.value = undefined)}>
          {own.hide}
        </button>
      )}
    </div>
  );
}

async function undoLast(): Promise<void> {
  const last = undoable.peek()!;
  // A deletion or stop that came meanwhile has the line.
  const say = (outcome: Partial<typeof last>) => {
    if (undoable.peek() === last) undoable.value = { ...last, ...outcome };
  };
  try {
    await last.undo();
    say({ isUndone: true });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    say({ problem: error });
  }
}
