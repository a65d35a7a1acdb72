// One step of a new model: its number, a check mark once it is done.
import type { ComponentChildren } from "preact";
import { texts } from "../../state/preferences.ts";

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

export function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li class={isDone ? "step done" : "step"}>
      <span class="number" aria-hidden="true">
        {isDone ? "✓" : number}
      </span>
      <div>
        <h2>
          {title}
          {isDone && <span class="hidden"> ({texts.value.newModel.done})</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}
