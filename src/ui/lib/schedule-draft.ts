// Drafts of schedules: a training, a forecast, a start or stop, a report in fields, any other request as it is; pure.
import type { ScheduledJobView } from "../../api/scheduled-job.ts";

type Every = ScheduledJobView["every"];
type Params = Readonly<Record<string, string | number | boolean>>;

export const scheduleKinds = ["train", "forecast", "start", "stop", "report", "request"] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];

export interface ScheduleDraft {
  readonly kind: ScheduleKind;
  readonly name: string;
  readonly every: Every;
  readonly model: string;
  /** Duration: of the range of a training or a report, or the horizon of a forecast. */
  readonly range: string;
  /** Bucket of a forecast. */
  readonly bucket: string;
  /** Of a report: `Ops <ops@example.org>`, several separated by commas. */
  readonly to: string;
  readonly sender: string;
  /** Of another request. */
  readonly method: ScheduledJobView["method"];
  readonly path: string;
  /** One `key: value` per line. */
  readonly params: string;
  /** JSON; empty: none. */
  readonly body: string;
}

type Definition = Omit<ScheduledJobView, "next_run_timestamp">;

const REPORT = "/report/_send";
const actions = { train: "_train", forecast: "_forecast", start: "_start", stop: "_stop" } as const;
/** Parameters that a kind has fields for, beside fixed ones. */
const fixed = {
  train: {},
  forecast: { save_output_data: true, bg: true },
  start: { detect_anomalies: true },
  stop: {},
} as const;

export const emptyDraft: ScheduleDraft = {
  kind: "train",
  name: "",
  every: { unit: "day", at: "03:00" },
  model: "",
  range: "30d",
  bucket: "",
  to: "",
  sender: "",
  method: "post",
  path: "/models/NAME/_train",
  params: "",
  body: "",
};

/** The report of the last week by mail. */
export const reportDraft: ScheduleDraft = {
  ...emptyDraft,
  kind: "report",
  name: "weekly report",
  every: { unit: "monday", at: "07:00" },
  range: "7d",
};

export type ScheduleSummary = Pick<ScheduleDraft, "range"> &
  (
    | { readonly kind: "report"; readonly to: string; readonly sender: string }
    | {
        readonly kind: keyof typeof actions;
        /** Several are separated by `;`. */
        readonly model: string;
        readonly bucket: string;
      }
  );

/** What a job does to models, or whom it sends a report; undefined for any other request. */
export function summarizeSchedule(job: Definition): ScheduleSummary | undefined {
  const { method, relative_url: path, params = {}, json } = job;
  if (method !== "post") return undefined;
  if (path === REPORT) return summarizeReport(json);
  const [, model, action] = /^\/models\/([^/]+)\/(_\w+)$/.exec(path) ?? [];
  const kind = (["train", "forecast", "start", "stop"] as const).find((known) => actions[known] === action);
  if (model === undefined || kind === undefined) return undefined;
  const { from, to, output_bucket: bucket } = params;
  return {
    kind,
    model: decode(model),
    range: spanOf(kind === "train" ? from : to),
    bucket: bucket === undefined ? "" : String(bucket),
  };
}

/** Undefined where mailboxes are not what the server takes. */
function summarizeReport(json: unknown): ScheduleSummary | undefined {
  const { to, sender, from = "now-7d" } = (json ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(to) || !to.every(isMailbox) || !isMailbox(sender)) return undefined;
  return {
    kind: "report",
    to: to.map(writeMailbox).join(", "),
    sender: writeMailbox(sender),
    range: spanOf(from),
  };
}

interface Mailbox {
  readonly address: string;
  readonly name?: string;
}

function isMailbox(value: unknown): value is Mailbox {
  return typeof (value as Mailbox | undefined)?.address === "string";
}

/** `Ops <ops@example.org>`, or the address alone. */
function writeMailbox({ name, address }: Mailbox): string {
  return name === undefined ? address : `${name} <${address}>`;
}

function readMailbox(text: string): Mailbox {
  const [, name = "", address] = /^(.*)<(.*)>$/.exec(text.trim()) ?? [];
  return { ...(name.trim() && { name: name.trim() }), address: (address ?? text).trim() };
}

/** A definition in fields where a kind of them holds all of it, otherwise as a request. */
export function readSchedule(job: Definition): ScheduleDraft {
  const { name, every, method, relative_url: path, params = {}, json } = job;
  const raw: ScheduleDraft = {
    ...emptyDraft,
    kind: "request",
    name,
    every,
    method,
    path,
    params: Object.entries(params)
      .map(([key, value]) => `${key}: ${value}`)
      .join("\n"),
    body: json === undefined ? "" : JSON.stringify(json, null, 2),
  };
  const summary = summarizeSchedule(job);
  if (!summary) return raw;
  const draft: ScheduleDraft = { ...emptyDraft, ...summary, name, every };
  // Parameters without a field must not be lost.
  return isSame(writeSchedule(draft), job) ? draft : raw;
}

/** The definition of a draft. */
export function writeSchedule(draft: ScheduleDraft): Definition {
  const { kind, name, every, model, range, bucket, to, sender, method, path, params, body } = draft;
  if (kind === "request") {
    const given = readParams(params);
    return {
      name,
      method,
      relative_url: path,
      ...(Object.keys(given).length > 0 && { params: given }),
      ...(body.trim() !== "" && { json: readJson(body) as Record<string, unknown> }),
      every,
    };
  }
  if (kind === "report") {
    const mail = { to: to.split(",").map(readMailbox), sender: readMailbox(sender), from: `now-${range}` };
    return { name, method: "post", relative_url: REPORT, json: mail, every };
  }
  const own: Record<keyof typeof actions, Params> = {
    train: { from: `now-${range}` },
    forecast: { to: `now+${range}`, ...(bucket && { output_bucket: bucket }) },
    start: {},
    stop: {},
  };
  const all = { ...own[kind], ...fixed[kind] };
  return {
    name,
    method: "post",
    relative_url: `/models/${encodeURIComponent(model)}/${actions[kind]}`,
    ...(Object.keys(all).length > 0 && { params: all }),
    every,
  };
}

function spanOf(date: unknown): string {
  return /^now[+-](.+)$/.exec(String(date ?? ""))?.[1] ?? "";
}

/** Whether both send the same request; numbers and switches may be texts. */
function isSame(made: Definition, job: Definition): boolean {
  const sort = ({ params = {}, method, relative_url, json }: Definition) =>
    JSON.stringify([
      method,
      decode(relative_url),
      sortKeys(json),
      Object.entries(params)
        .map(([key, value]) => `${key}=${value}`)
        .sort(),
    ]);
  return sort(made) === sort(job);
}

/** Objects with their keys in one order. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sortKeys(inner)] as const);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

function readParams(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return colon < 0 ? [line.trim(), ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

/** What is no JSON stays a text, which the server refuses with the place. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
