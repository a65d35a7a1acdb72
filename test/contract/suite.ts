// Contract rows: a request, its expected answer, and a check of it against the API's document.
import { expect, test } from "bun:test";
import type { ErrorCode } from "../../src/core/errors.ts";
import type { ApiDocument } from "../../src/http/docs/openapi-document.ts";
import { type Answer, findDeviations } from "../support/api-check.ts";

export interface Row {
  /** What this row shows. */
  readonly shows: string;
  /** `METHOD /path`; `$name` stands for what an earlier row kept. */
  readonly request: string;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** `$name` as in the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** One status, or several where the state before the suite is not known. */
  readonly status: number | readonly number[];
  /** Default: JSON; null = no content type (no body). */
  readonly type?: string | null;
  /** The whole body. */
  readonly is?: unknown;
  /** A part of the body, in the sense of toMatchObject. */
  readonly has?: unknown;
  /** Texts that must be in the body or a header. */
  readonly holds?: readonly string[];
  /** Texts that must be nowhere in the answer. */
  readonly lacks?: readonly string[];
  /** Objects of each entry that hold the same keys in all of them, and scalars alone. */
  readonly flat?: readonly string[];
  /** Keeps the body (a JSON string) under this name. */
  readonly keep?: string;
  /** Keeps parts of the body: paths by name, as in `0.id`; the empty path is the whole body. */
  readonly keepParts?: Readonly<Record<string, string>>;
  /** The body is a job's id: the job ends in this state ... */
  readonly job?: "done" | "failed" | "canceled";
  /** ... and looks like this. */
  readonly jobHas?: Readonly<Record<string, unknown>>;
}

export interface Table {
  readonly noun: string;
  readonly rows: readonly Row[];
}

export type Refusal = Omit<Partial<Row>, "has" | "status"> & {
  readonly status?: number;
  readonly code?: ErrorCode;
  /** Path of the key or parameter that breaks a rule. */
  readonly path?: string;
};

/** A refused request; by default 400 with code `invalid`. */
export function refuses(shows: string, request: string, { status = 400, ...refusal }: Refusal = {}): Row {
  const { code = status === 400 ? "invalid" : undefined, path, ...rest } = refusal;
  return { shows, request, status, has: { ...(code && { code }), ...(path && { path }) }, ...rest };
}

/** Points of an hourly `load` with a daily wave, from 1970 on. */
export function dailyWave(days: number): { timestamp: number; load: number }[] {
  return Array.from({ length: 24 * days }, (_, i) => ({
    timestamp: i * 3600,
    load: 10 + 5 * Math.sin((2 * Math.PI * i) / 24),
  }));
}

const JOB_DEADLINE_MS = 60_000;
const kept = new Map<string, string>();
const documents = new Map<string, Promise<ApiDocument>>();

/** One test per row, in order: later rows build on earlier ones. */
export function runTable({ noun, rows }: Table, baseUrl: () => string): void {
  for (const [i, row] of rows.entries()) {
    test(`${noun} ${i + 1}: ${row.shows}`, () => runRow(row, baseUrl()), JOB_DEADLINE_MS);
  }
}

async function runRow(row: Row, base: string): Promise<void> {
  const [method, path] = fillIn(row.request).split(/ (.*)/s) as [string, string];
  const response = await fetch(`${base}${path}`, { method, ...bodyOf(row), redirect: "manual" });
  const text = await response.text();
  const context = `${method} ${path} -> ${response.status} ${text.slice(0, 400)}`;
  const allowed = [row.status].flat();
  expect(allowed.includes(response.status) ? "" : context).toBe("");
  checkHeaders(row, response, method);
  checkBody(row, text, `${JSON.stringify([...response.headers])}\n${text}`);
  const type = response.headers.get("content-type");
  if (response.status >= 400 && text !== "" && row.type === undefined) checkProblem(text);
  await checkDocumented(base, { request: `${method} ${path}`, status: response.status, type, text });
  if (row.keep) kept.set(row.keep, JSON.parse(text) as string);
  for (const [name, path] of Object.entries(row.keepParts ?? {})) kept.set(name, partOf(text, path));
  if (row.job) await checkJob(row, base, JSON.parse(text) as string);
}

function fillIn(text: string): string {
  return text.replace(/\$(\w+)/g, (whole, name: string) => kept.get(name) ?? whole);
}

/** Texts as they are, other values as JSON. */
function partOf(text: string, path: string): string {
  let part = JSON.parse(text) as unknown;
  for (const key of path.split(".").filter(Boolean)) part = (part as Record<string, unknown>)[key];
  return typeof part === "string" ? part : JSON.stringify(part);
}

function bodyOf({ body, headers: given = {} }: Row) {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, fillIn(value)]));
  if (body === undefined) return { headers };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { body: fillIn(text), headers: { "content-type": "application/json", ...headers } };
}

async function checkDocumented(base: string, answer: Answer): Promise<void> {
  const known = documents.get(base) ?? fetch(`${base}/openapi.json`).then((response) => response.json());
  documents.set(base, known as Promise<ApiDocument>);
  expect(findDeviations((await known) as ApiDocument, answer)).toEqual([]);
}

function checkHeaders({ type }: Row, response: Response, method: string): void {
  expect(response.headers.get("x-request-id")).toBeTruthy();
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  if (type === null || response.status === 204) return;
  if (method !== "HEAD") expect(response.headers.get("content-type")).toStartWith(type ?? "application/json");
}

function checkBody(row: Row, text: string, whole: string): void {
  if ("is" in row) expect(JSON.parse(text)).toEqual(row.is as never);
  if ("has" in row) expect(JSON.parse(text)).toMatchObject(row.has as never);
  for (const part of row.holds ?? []) expect(whole).toContain(fillIn(part));
  for (const part of row.lacks ?? []) expect(whole).not.toContain(part);
  for (const key of row.flat ?? []) checkFlat(JSON.parse(text) as Record<string, object>[], key);
}

function checkFlat(entries: readonly Record<string, object>[], key: string): void {
  const keys = Object.keys(entries[0]![key]!).toSorted();
  for (const { [key]: own } of entries) {
    expect(Object.keys(own!).toSorted()).toEqual(keys);
    for (const value of Object.values(own!)) expect(["number", "string", "boolean"]).toContain(typeof value);
  }
}

function checkProblem(text: string): void {
  const problem = JSON.parse(text) as Record<string, unknown>;
  expect(problem).toMatchObject({ type: "about:blank", error: problem.detail as string });
  for (const key of ["title", "detail", "code"]) expect(problem[key]).toBeString();
}

async function checkJob({ job, jobHas }: Row, base: string, id: string): Promise<void> {
  for (let state = "waiting"; ; await Bun.sleep(20)) {
    const [view] = (await (await fetch(`${base}/jobs/${id}`)).json()) as [Record<string, unknown>];
    state = String(view.state);
    if (state === "waiting" || state === "running") continue;
    const answer = { request: `GET /jobs/${id}`, status: 200, type: "application/json" };
    await checkDocumented(base, { ...answer, text: JSON.stringify([view]) });
    expect(view).toMatchObject({ ...jobHas, state: job! });
    return;
  }
}
