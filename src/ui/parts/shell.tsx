// Shell: navigation, the bar of a lost connection, and the place of the screen.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { buildRoute } from "../lib/route.ts";
import { overlay } from "../state/overlay.ts";
import { letterKeys, moments, texts } from "../state/preferences.ts";
import { goTo, route } from "../state/route.ts";
import { may, offlineSince, session } from "../state/session.ts";
import { isUpdated } from "../state/update.ts";

export const pages = ["models", "anomalies", "jobs", "buckets", "schedules", "hooks", "settings"] as const;
/** Milliseconds between the two letters of a key such as `g m`. */
const CHORD_MS = 1000;

export function Shell({ children }: { children: ComponentChildren }) {
  useKeys();
  const { skip, offline, openMachine, readOnly, ...names } = texts.value;
  const [current = "models"] = route.value.path;
  const since = offlineSince.value;
  return (
    <div class={since === undefined ? "shell" : "shell offline"}>
      <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
        {skip}
      </button>
      <nav aria-label="Torus">
        <strong class="brand">Torus</strong>
        {pages.map((page) => (
          <a key={page} href={buildRoute([page])} aria-current={current === page ? "page" : undefined}>
            {names[page]}
          </a>
        ))}
        <span class="foot">
          {session.value?.auth === false && openMachine}
          {session.value?.auth === true && !may.value("run") && readOnly}
        </span>
      </nav>
      <main id="content" tabIndex={-1}>
        {since !== undefined && (
          <p class="bar" role="status">
            {offline(moments.value.moment(since, Date.now() / 1000))}
          </p>
        )}
        {isUpdated.value && (
          <p class="bar" role="status">
            {texts.value.updated.said}{" "}
            <button type="button" onClick={() => location.reload()}>
              {texts.value.updated.reload}
            </button>
          </p>
        )}
        {children}
      </main>
    </div>
  );
}

/** `g` and a letter open a page; `/` focuses the search, or opens the finder as Ctrl-K does; `?` lists the keys. */
function useKeys(): void {
  useEffect(() => {
    let goAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        overlay.value = "finder";
      }
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "?") overlay.value = "keys";
      const page = pages.find((name) => name.startsWith(event.key));
      if (event.timeStamp - goAt < CHORD_MS && page) goTo([page]);
      goAt = event.key === "g" ? event.timeStamp : 0;
      if (event.key !== "/") return;
      event.preventDefault();
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      if (search) search.focus();
      else overlay.value = "finder";
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** Whether a key belongs to a field or a dialog, or is a letter while these are switched off. */
export function isTyping(event: Event): boolean {
  const { target } = event;
  if (overlay.value !== undefined) return true;
  if (letterKeys.value === "off" && event instanceof KeyboardEvent && event.key.length === 1) return true;
  return target instanceof HTMLElement && target.matches("input, select, textarea, dialog, dialog *");
}
