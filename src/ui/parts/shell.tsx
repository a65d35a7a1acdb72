// Shell: navigation, the bar of a lost connection, and the place of the screen.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { formatSpan, formatZone } from "../lib/format.ts";
import { buildRoute } from "../lib/route.ts";
import { badges, followBadges } from "../state/badges.ts";
import { clockSkew, serverNow } from "../state/clock.ts";
import { overlay } from "../state/overlay.ts";
import { letterKeys, moments, texts, zoneName } from "../state/preferences.ts";
import { goTo, route } from "../state/route.ts";
import { may, offlineSince, session } from "../state/session.ts";
import { isUpdated } from "../state/update.ts";

export const pages = [
  "now",
  "models",
  "anomalies",
  "jobs",
  "capacity",
  "report",
  "buckets",
  "schedules",
  "hooks",
  "settings",
] as const;
/** Pages in the bar of a phone. */
const ON_PHONES = 4;
/** Milliseconds between the two letters of a key such as `g m`. */
const CHORD_MS = 1000;

export function Shell({ children }: { children: ComponentChildren }) {
  useKeys();
  useEffect(followBadges, []);
  const { skip, offline, clockOff, more } = texts.value;
  const since = offlineSince.value;
  return (
    <div class={since === undefined ? "shell" : "shell offline"}>
      <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
        {skip}
      </button>
      <nav aria-label="Torus">
        <strong class="brand">Torus</strong>
        <Pages />
        <button type="button" class="more" aria-haspopup="dialog" onClick={() => (overlay.value = "pages")}>
          {more}
        </button>
        <Foot />
      </nav>
      <main id="content" tabIndex={-1}>
        {since !== undefined && (
          <p class="bar" role="status">
            {offline(moments.value.moment(since, serverNow()))}
          </p>
        )}
        {clockSkew.value !== 0 && (
          <p class="bar" role="status">
            {clockOff(formatSpan(Math.abs(clockSkew.value) * 1000), clockSkew.value > 0)}
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

interface LinksProps {
  /** Called before the page of the link is shown. */
  readonly onPick?: () => void;
}

/** Links to the pages with their counts; on phones those after the first four are left to the sheet. */
export function Pages({ onPick }: LinksProps) {
  const [current = "now"] = route.value.path;
  const { inProgress, running, ...names } = texts.value;
  const counts = badges.value;
  const says = { anomalies: inProgress, jobs: running };
  return (
    <>
      {pages.map((page, i) => (
        <a
          key={page}
          href={buildRoute([page])}
          class={i < ON_PHONES ? "" : "late"}
          aria-current={current === page ? "page" : undefined}
          onClick={onPick}
        >
          {names[page]}
          {(page === "anomalies" || page === "jobs") && counts[page]! > 0 && (
            <>
              {" "}
              <span class="badge" title={says[page](counts[page]!)}>
                <span aria-hidden="true">{counts[page]}</span>
                <span class="hidden"> {says[page](counts[page]!)}</span>
              </span>
            </>
          )}
        </a>
      ))}
    </>
  );
}

/** Who may enter, and the zone of the times. */
export function Foot({ onPick }: LinksProps) {
  const { openMachine, readOnly, zone } = texts.value;
  return (
    <span class="foot">
      {session.value?.auth === false && openMachine}
      {session.value?.auth === true && !may.value("run") && readOnly}
      <a href={buildRoute(["settings"])} title={`${zone} ${zoneName.value}`} onClick={onPick}>
        {formatZone(zoneName.value, moments.value.offset(serverNow()))}
      </a>
    </span>
  );
}

/** `g` and a letter open a page; `/` focuses the search, or opens the finder as Ctrl-K does; `?` lists the keys. */
function useKeys(): void {
  useLayoutEffect(() => {
    // Since the page was opened: without a g before it, no key is the second of a chord.
    let goAt = -CHORD_MS;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        overlay.value = "finder";
      }
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "?") overlay.value = "keys";
      const page = pages.find((name) => name.startsWith(event.key));
      if (event.timeStamp - goAt < CHORD_MS && page) goTo([page]);
      goAt = event.key === "g" ? event.timeStamp : -CHORD_MS;
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
