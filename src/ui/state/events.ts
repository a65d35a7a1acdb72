// Changes of the server, as they happen: one stream for the page, connected again after the last event it has.
import { signal } from "@preact/signals";
import type { JobView } from "../../api/job.ts";
import { createFrameParser } from "../../core/formats/event-frames.ts";
import { openStream } from "./session.ts";

export type ChangeType = "model" | "live" | "anomaly" | "job" | "bucket" | "delivery";

/** Progress of a running job, as announced. */
export type JobReport = Pick<JobView, "progress" | "remaining_time">;

/** Whether changes arrive as they happen. */
export const isFollowing = signal(false);

/** The last score of each live model that the page has seen, 0..100; null where nothing was observed. */
export const liveScores = signal<ReadonlyMap<string, number | null>>(new Map());

/** The last announced progress of running jobs, by id. */
export const jobReports = signal<ReadonlyMap<string, JobReport>>(new Map());

const FIRST_WAIT_MS = 1000;
const LAST_WAIT_MS = 30_000;

type Listener = (type: string, model?: string) => void;

const listeners = new Set<Listener>();

/**
 * Calls the listener for each change of the types, and after a gap.
 * @param model changes of this model only
 * @returns a function that ends it
 */
export function onChange(types: readonly ChangeType[], listener: () => void, model?: string): () => void {
  const own: Listener = (type, about) => {
    if (model !== undefined && about !== undefined && about !== model) return;
    if (type === "reset" || types.some((wanted) => wanted === type)) listener();
  };
  listeners.add(own);
  return () => void listeners.delete(own);
}

type JobListener = (id: string | undefined, report: JobReport | undefined) => void;

const jobListeners = new Set<JobListener>();

/**
 * Calls the listener with the progress of a job, and without one when its state has changed, and after a gap.
 * @returns a function that ends it
 */
export function onJob(id: string, listener: (report: JobReport | undefined) => void): () => void {
  const own: JobListener = (about, report) => {
    if (about === undefined || about === id) listener(report);
  };
  jobListeners.add(own);
  return () => void jobListeners.delete(own);
}

/**
 * Follows the stream while the page is visible: browsers open six connections to a server, and hidden pages must not
 * hold them.
 */
export async function followEvents(): Promise<never> {
  let lastId: string | undefined;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LAST_WAIT_MS, 2 * waitMs)) {
    await untilVisible();
    const stream = await openStream("/events", lastId, untilHidden()).catch(() => undefined);
    if (stream) {
      waitMs = FIRST_WAIT_MS / 2;
      isFollowing.value = true;
      lastId = (await readFrames(stream, lastId)) ?? lastId;
      isFollowing.value = false;
      // What was missed, and whether the server is there at all, shows with the next read.
      jobReports.value = new Map();
      for (const listener of listeners) listener("reset");
      for (const listener of jobListeners) listener(undefined, undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

function untilVisible(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) =>
    document.addEventListener("visibilitychange", () => resolve(), { once: true }),
  );
}

/** Aborts when the page is hidden. */
function untilHidden(): AbortSignal {
  const ending = new AbortController();
  const onVisibility = () => {
    if (!document.hidden) return;
    document.removeEventListener("visibilitychange", onVisibility);
    ending.abort();
  };
  document.addEventListener("visibilitychange", onVisibility);
  return ending.signal;
}

/** Reads until the stream ends or breaks. @returns the id of the last event */
async function readFrames(
  stream: ReadableStream<Uint8Array>,
  before: string | undefined,
): Promise<string | undefined> {
  const parse = createFrameParser();
  const reader = stream
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader();
  let lastId = before;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return lastId;
      for (const { id, event, data } of parse(value)) {
        lastId = id ?? lastId;
        if (event === "end") return lastId;
        const { model } = JSON.parse(data || "{}") as { model?: string };
        if (event === "live") keepScore(data);
        if (event === "job" && keepReport(data)) continue;
        for (const listener of listeners) listener(event, model);
      }
    }
  } catch {
    return lastId;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** @param data of a `live` event, JSON */
function keepScore(data: string): void {
  const { model, score } = JSON.parse(data) as { model: string; score: number | null };
  liveScores.value = new Map(liveScores.value).set(model, score);
}

/** @param data of a `job` event, JSON. @returns whether it is progress, which changes no list */
function keepReport(data: string): boolean {
  const { id, progress, remaining_time } = JSON.parse(data) as Pick<JobView, "id"> & JobReport;
  const report = progress && { progress, ...(remaining_time !== undefined && { remaining_time }) };
  const reports = new Map(jobReports.value);
  if (report) reports.set(id, report);
  if (report || reports.delete(id)) jobReports.value = reports;
  for (const listener of jobListeners) listener(id, report);
  return report !== undefined;
}
