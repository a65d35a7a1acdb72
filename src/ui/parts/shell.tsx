// Shell: navigation, the bar of a lost connection, and the place of the screen.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { buildRoute } from "../lib/route.ts";
import { moments, texts } from "../state/preferences.ts";
import { goTo, route } from "../state/route.ts";
import { may, offlineSince, session } from "../state/session.ts";

const pages = ["models", "anomalies", "jobs", "buckets", "settings"] as const;
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
        {children}
      </main>
    </div>
  );
}

/** `g` and a letter open a page; `/` focuses the search. */
function useKeys(): void {
  useEffect(() => {
    let goAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const page = pages.find((name) => name.startsWith(event.key));
      if (event.timeStamp - goAt < CHORD_MS && page) goTo([page]);
      goAt = event.key === "g" ? event.timeStamp : 0;
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      if (event.key !== "/" || !search) return;
      event.preventDefault();
      search.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** Whether a key belongs to a field. */
export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea");
}
