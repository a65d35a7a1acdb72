// Panel: a card with the first entries of a list, and the way to all of them.
import type { ComponentChildren } from "preact";
import { texts } from "../../state/preferences.ts";

/** Entries of a panel. */
export const SHOWN = 5;

interface PanelProps {
  readonly title: string;
  /** All of them, where more are known than are shown. */
  readonly rest?: { readonly count: number; readonly href: string } | undefined;
  readonly children: ComponentChildren;
}

export function Panel({ title, rest, children }: PanelProps) {
  return (
    <section class="card">
      <header class="card-head">
        <h2>{title}</h2>
        {rest && rest.count > SHOWN && <a href={rest.href}>{texts.value.nowPage.all(rest.count)}</a>}
      </header>
      <ul class="attention">{children}</ul>
    </section>
  );
}
