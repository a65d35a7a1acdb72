// Search box of a page: loads the sections at the first use, lists hits as links, moves through them by arrow keys.
import { type Hit, type Section, search } from "./search.ts";

declare global {
  var torusSections: readonly Section[] | undefined;
}

const find = <T extends Element>(selector: string) => document.querySelector<T>(selector)!;
const box = find<HTMLElement>(".search");
const input = find<HTMLInputElement>("#query");
const status = find<HTMLElement>("#found");
const list = find<HTMLElement>("#results");

/** Adds the script of the sections, once. */
function load(): void {
  if (document.querySelector("script[src='search-index.js']")) return;
  const script = document.createElement("script");
  script.src = "search-index.js";
  script.addEventListener("load", show);
  document.head.append(script);
}

function show(): void {
  const query = input.value.trim();
  list.hidden = query === "" || !globalThis.torusSections;
  if (list.hidden) {
    status.textContent = "";
    return;
  }
  const hits = search(globalThis.torusSections!, query);
  const count = hits.length === 1 ? "1 section" : `${hits.length} sections`;
  status.textContent = hits.length === 0 ? "Nothing found" : count;
  list.replaceChildren(...(hits.length === 0 ? [renderNothing()] : hits.map(renderHit)));
}

function renderNothing(): HTMLElement {
  const item = document.createElement("li");
  item.append(add("p", "Nothing found"));
  return item;
}

function renderHit({ section, excerpt }: Hit): HTMLElement {
  const { page, heading, address } = section;
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = address;
  link.append(add("strong", heading === page ? page : `${page} › ${heading}`), add("span", excerpt));
  item.append(link);
  return item;
}

function add(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/** Moves the focus between the box and its hits. */
function move(step: number): void {
  const stops = [input, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement as HTMLAnchorElement);
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]!.focus();
}

function close(): void {
  list.hidden = true;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

box.hidden = false;
input.addEventListener("focus", load);
input.addEventListener("input", show);
list.addEventListener("click", close);
box.addEventListener("keydown", (event) => {
  const step = steps[event.key];
  if (event.key === "Escape") {
    close();
    input.focus();
  } else if (event.key === "Enter" && event.target === input) {
    list.querySelector("a")?.click();
  } else if (step !== undefined && !list.hidden) {
    event.preventDefault();
    move(step);
  }
});
document.addEventListener("click", ({ target }) => {
  if (!box.contains(target as Node)) close();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target !== document.body) return;
  event.preventDefault();
  input.focus();
});
