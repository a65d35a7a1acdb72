// Messages of a hook as it would send them.
import type { HookPreviewView } from "../../../api/hook.ts";
import { texts } from "../../state/preferences.ts";

export function Previews({ list }: { list: readonly HookPreviewView[] }) {
  const { hooksPage: own } = texts.value;
  return (
    <section role="status" aria-label={own.preview}>
      <p class="quiet">{list[0]?.test ? own.previewOfTest : own.previewOfLast}</p>
      {list.map(({ event, to, subject, text }) => (
        <figure key={event} class="preview">
          <figcaption>{own.events[event]}</figcaption>
          {to && <p class="quiet">{own.previewTo(to.join(", "))}</p>}
          {subject && <p>{subject}</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard */}
          <pre tabIndex={0}>{text}</pre>
        </figure>
      ))}
    </section>
  );
}
