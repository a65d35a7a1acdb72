// List of kinds, each with the first sentence of its description.
import type { ComponentChildren } from "preact";
import { firstSentence } from "../state/kinds.ts";
import { Prose } from "./form/field-input.tsx";

interface KindListProps {
  readonly kinds: readonly { readonly type: string; readonly description: string }[];
  /** Name of a kind, as a link or button where it can be added. */
  readonly title: (type: string) => ComponentChildren;
}

export function KindList({ kinds, title }: KindListProps) {
  return (
    <dl class="kinds">
      {kinds.map(({ type, description }) => (
        <div key={type}>
          <dt>{title(type)}</dt>
          <dd>
            <Prose text={firstSentence(description)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
