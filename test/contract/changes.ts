// Contract rows of /changes: recorded, repeated, listed, in the bodies of other systems.
import { type Row, refuses, type Table } from "./suite.ts";

/** New in each run: changes are about no resource that a suite makes anew. */
const tags = { suite: `c-${Date.now()}` };
const id = `${tags.suite}.1`;
const change = { id, title: "web 1.9.2", tags, at: 1_769_860_800, end: 1_769_860_860 };
const path = "POST /changes";
const listed = `tags=suite:${tags.suite}`;

const wrong: readonly Row[] = [
  refuses("a title is needed", path, {
    path: "body",
    body: {},
    holds: ["Alertmanager", "GitHub", "Grafana"],
  }),
  refuses("no change", path, { path: "body", body: "deploy" }),
  refuses("no list of any", path, { path: "body", body: [] }),
  refuses("an end before the begin", path, { path: "end", body: { ...change, end: 1 } }),
  refuses("a kind of two words", path, { path: "kind", body: { ...change, kind: "a b" } }),
  refuses("an address of another scheme", path, { path: "url", body: { ...change, url: "ftp://a/" } }),
  refuses("an unknown key", path, { path: "titel", body: { ...change, titel: "x" } }),
  refuses("one of a list", path, { path: "1.title", body: [change, { title: "" }] }),
  refuses("an unknown shape", `${path}?shape=jira`, { path: "shape", body: change }),
  refuses("another shape", `${path}?shape=github`, { path: "body", body: change }),
  refuses("tags without values", "GET /changes?tags=a", { path: "tags" }),
  refuses("no page", "GET /changes?per_page=0", { path: "per_page" }),
  refuses("no such change", `GET /changes/${id}`, { status: 404, code: "not_found" }),
];

const rows: readonly Row[] = [
  ...wrong,
  { shows: "none of a refused list", request: `GET /changes?${listed}`, status: 200, is: [] },
  { shows: "recorded", request: path, body: change, status: 201, has: [{ ...change, kind: "deploy" }] },
  {
    shows: "the same again",
    request: path,
    body: { ...change, title: "web 1.9.3" },
    status: 200,
    has: [{ id, title: "web 1.9.3" }],
  },
  {
    shows: "a list, of which one is new",
    request: path,
    body: [change, { title: "dark", kind: "flag", tags, at: 1_769_860_900 }],
    status: 201,
    has: [{ id, title: "web 1.9.2" }, { kind: "flag" }],
    keepParts: { flag: "1.id" },
  },
  {
    shows: "an annotation of Grafana",
    request: path,
    body: { text: "moved", time: 1_769_861_000_000, tags: [`suite:${tags.suite}`] },
    status: 201,
    has: [{ kind: "annotation", title: "moved", at: 1_769_861_000, tags }],
    keepParts: { note: "0.id" },
  },
  { shows: "a ping of GitHub", request: path, body: { zen: "Half", hook_id: 1 }, status: 200, is: [] },
  {
    shows: "newest first, in pages",
    request: `GET /changes?${listed}&per_page=2`,
    status: 200,
    has: [{ title: "moved" }, { title: "dark" }],
    holds: ['"x-total-count","3"'],
  },
  {
    shows: "by range and kind",
    request: `GET /changes?${listed}&from=1769860850&to=1769861000&kind=deploy`,
    status: 200,
    has: [{ id }],
  },
  { shows: "one", request: `GET /changes/${id}`, status: 200, has: change },
  ...[id, "$flag", "$note"].map((each) => ({
    shows: "deleted",
    request: `DELETE /changes/${each}`,
    status: 204,
    type: null,
  })),
  refuses("deleted once", `DELETE /changes/${id}`, { status: 404, code: "not_found" }),
];

export const changes: Table = { noun: "changes", rows };
