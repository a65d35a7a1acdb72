// Notes in place of data: loading, refusals of the server, emptiness; each with a way on.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api/client.ts";
import { texts } from "../state/preferences.ts";

/** Milliseconds before loading is shown: shorter waits would flicker. */
const PATIENCE_MS = 150;

export function Loading() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton" role="status" aria-busy="true">
      {isLate ? texts.value.loading : ""}
    </div>
  );
}

export function ProblemNote({ problem, again }: { problem: Problem; again?: () => void }) {
  const { unreachable, notAllowed, again: tryAgain } = texts.value;
  const text = problem.status === 0 ? unreachable : problem.status === 403 ? notAllowed : problem.message;
  return (
    <div class="note problem" role="alert">
      <p>{text}</p>
      {again && (
        <button type="button" onClick={again}>
          {tryAgain}
        </button>
      )}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="note">{children}</div>;
}
