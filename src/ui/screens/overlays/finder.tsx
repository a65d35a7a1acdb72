// Finder: pages, models and buckets by a part of their name, chosen by arrows and Enter.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type FinderEntry, findEntries } from "../../lib/finder.ts";
import { nameOf } from "../../lib/model-state.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { pages } from "../../parts/shell.tsx";
import { models } from "../../state/models.ts";
import { overlay } from "../../state/overlay.ts";
import { texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { goTo } from "../../state/route.ts";
import { request } from "../../state/session.ts";

const buckets = createResource((signal) => request<readonly { name: string }[]>("/buckets", { signal }));

function listEntries(): FinderEntry[] {
  const { finder, ...names } = texts.value;
  const { page, model, bucket } = finder.kinds;
  return [
    ...pages.map((path) => ({ name: names[path], kind: page, path: [path] })),
    ...(models.loaded.value.value ?? []).map((each) => ({
      name: nameOf(each),
      kind: model,
      path: ["models", nameOf(each)],
    })),
    ...(buckets.loaded.value.value ?? []).map(({ name }) => ({
      name,
      kind: bucket,
      path: ["buckets", name],
    })),
  ];
}

export function Finder() {
  const text = useSignal("");
  const at = useSignal(0);
  const { title, nothing } = texts.value.finder;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    void models.refresh();
    void buckets.refresh();
  }, []);
  const found = findEntries(listEntries(), text.value);
  const current = Math.min(at.value, found.length - 1);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      at.value = Math.max(0, Math.min(found.length - 1, current + step));
    }
    if (event.key === "Enter") open(found[current]);
  };
  return (
    <Dialog title={title} onClose={close}>
      <input
        ref={field}
        type="text"
        role="combobox"
        class="finder"
        aria-label={title}
        aria-expanded="true"
        aria-controls="found"
        aria-autocomplete="list"
        {...(found.length > 0 && { "aria-activedescendant": `found-${current}` })}
        autocomplete="off"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKey}
      />
      <div id="found" role="listbox" aria-label={title} class="found">
        {found.map((entry, i) => (
          <div
            key={entry.path.join("/")}
            id={`found-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === current}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(entry)}
            onKeyDown={onKey}
          >
            {entry.name} <span class="quiet">{entry.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p role="status">{nothing}</p>}
    </Dialog>
  );
}

function close(): void {
  overlay.value = undefined;
}

function open(entry: FinderEntry | undefined): void {
  if (!entry) return;
  close();
  goTo(entry.path);
}
