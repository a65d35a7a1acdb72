// Last day of models for the sparklines of their list: of rows in view, some at a time, and seldom again.
import { signal } from "@preact/signals";
import type { ModelSeriesView } from "../../api/series.ts";
import { Problem } from "../api/client.ts";
import type { SparkData } from "./anomalies/now.ts";
import { request } from "./session.ts";

/** Cells of a day. */
const CELLS = 96;
/** Models of one request; the bucket of each is read. */
const BATCH = 20;
/** Rows that come into view together are asked for together. */
const GATHER_MS = 200;
/** A day changes slowly. */
const FRESH_MS = 300_000;

/** By model; undefined of one that could not be read. */
export const sparks = signal<ReadonlyMap<string, SparkData | undefined>>(new Map());

const readAt = new Map<string, number>();
const wanted = new Set<string>();
let isWorking = false;

/** Asks for the sparkline of a model that has come into view. */
export function wantSpark(name: string): void {
  if (Date.now() - (readAt.get(name) ?? 0) < FRESH_MS) return;
  readAt.set(name, Date.now());
  wanted.add(name);
  if (!isWorking) void work();
}

/** A row that has left before its turn came. */
export function unwantSpark(name: string): void {
  if (wanted.delete(name)) readAt.delete(name);
}

/** One request at a time: looking must not slow the work of the server. */
async function work(): Promise<void> {
  isWorking = true;
  while (wanted.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    const names = [...wanted].slice(0, BATCH);
    for (const name of names) wanted.delete(name);
    if (names.length > 0) await read(names);
  }
  isWorking = false;
}

async function read(names: readonly string[]): Promise<void> {
  const list = names.map(encodeURIComponent).join(";");
  const query = `from=now-1d&points=${CELLS}&parts=observed&pooled=true`;
  const path = `/models/${list}/_series?${query}`;
  try {
    const views = await request<Readonly<Record<string, ModelSeriesView>>>(path);
    const found = Object.entries(views).map(([name, view]) => [name, toSpark(view)] as const);
    sparks.value = new Map([...sparks.value, ...found]);
  } catch (error) {
    // The row is complete without a picture; one model that is gone must not cost those of others.
    if (!(error instanceof Problem)) throw error;
    if (error.status === 404 && names.length > 1) for (const name of names) await read([name]);
  }
}

/** Of the first feature. */
function toSpark({ from, step, features = {} }: ModelSeriesView): SparkData | undefined {
  const [columns] = Object.values(features);
  return columns?.mean.some((value) => value !== null) ? { from, step, ...columns } : undefined;
}
