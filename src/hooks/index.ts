// Registry of hook kinds; checks, views and replacement of hook settings, delivery by kind.
import { type TObject, Type } from "@sinclair/typebox";
import { assertSecretsStay } from "../core/access/moved-secrets.ts";
import { redact } from "../core/access/redact.ts";
import { type HookEvent, topicOf } from "../core/anomaly/event.ts";
import {
  groupingOf,
  type HookOptions,
  hookOptions,
  shownEvents,
  withDefaultEvents,
} from "../core/anomaly/hook-options.ts";
import { invalid } from "../core/errors.ts";
import { isRecord } from "../core/input/json.ts";
import { Name } from "../core/input/name.ts";
import { check, findErrors, invalidFields } from "../core/input/schema.ts";
import { suggestClosest } from "../core/input/suggest.ts";
import { checkMute } from "../core/model/mute.ts";
import { alertmanager } from "./alertmanager.ts";
import { annotations } from "./annotations.ts";
import { exec } from "./exec.ts";
import type { Allowances, HookContext, HookKind, Preview, TextContext } from "./kind.ts";
import { mail } from "./mail/index.ts";
import { mqtt } from "./mqtt.ts";
import { ntfy } from "./ntfy.ts";
import type { Outcome } from "./shared/outcome.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { webhook } from "./webhook.ts";

export const hookKinds = {
  mail,
  annotations,
  webhook,
  alertmanager,
  slack,
  teams,
  ntfy,
  mqtt,
  exec,
} satisfies Record<string, unknown>;
export type HookType = keyof typeof hookKinds;

/** A stored hook: checked by `checkHook`, secrets included. */
export interface HookSettings extends HookOptions {
  readonly name: string;
  readonly type: HookType;
  readonly config: Readonly<Record<string, unknown>>;
}

const kinds: ReadonlyMap<string, HookKind> = new Map(
  Object.entries(hookKinds) as unknown as [string, HookKind][],
);

/** Full schema per kind; components of the OpenAPI document and tables of the reference derive from it. */
export const hookSchemas: ReadonlyMap<string, TObject> = new Map(
  [...kinds].map(([type, { config, description }]) => [
    type,
    Type.Object(
      { name: Name, type: Type.Literal(type), config, ...hookOptions },
      { additionalProperties: false, title: "hook", description },
    ),
  ]),
);

const Named = Type.Object({ name: Name });

/**
 * Checks a hook sent by a client: `name`, `type`, and the configuration of the kind.
 * @throws TorusError `invalid` with the path and the rule, never the value
 */
export function checkHook(body: unknown, allowed?: Allowances): HookSettings {
  if (!isRecord(body)) throw invalid("body", "must be a JSON object with type, name and config");
  const type = typeof body.type === "string" ? body.type : "";
  const schema = hookSchemas.get(type);
  if (!schema)
    throw invalidFields([{ path: "type", message: typeRule(body.type) }, ...findErrors(Named, body)]);
  const hook = check(schema, body) as unknown as HookSettings;
  kinds.get(type)!.check?.(hook.config, "config", allowed);
  checkGrouping(hook);
  checkMute(hook.mute ?? []);
  return hook;
}

function checkGrouping({ type, ...options }: HookSettings): void {
  if (!groupingOf(options)) return;
  const kind = kinds.get(type)!;
  if (kind.deliverGroup) {
    kind.checkGrouped?.(options.config, "config");
    return;
  }
  const path = (["group_wait", "group_interval", "group_by"] as const).find(
    (key) => options[key] !== undefined,
  );
  throw invalid(path!, ungroupedRule(type));
}

function typeRule(type: unknown): string {
  if (type === undefined) return "is required";
  const list = [...kinds.keys()];
  const near = typeof type === "string" ? suggestClosest(type, list) : undefined;
  return `must be one of ${list.join(", ")}${near ? `; did you mean ${near}?` : ""}`;
}

/** A stored hook without its secrets. */
export function viewHook({ name, type, config, events, ...options }: HookSettings): HookSettings {
  const { secrets, shown = [] } = kinds.get(type) ?? {};
  const plain = Object.entries(config).filter(([key]) => shown.includes(key));
  const view = { ...(redact(config, secrets) as Record<string, unknown>), ...Object.fromEntries(plain) };
  return { type, name, config: view, ...shownEvents({ ...(events && { events }) }), ...options };
}

/**
 * Secrets of a replaced hook: kept where the new configuration leaves them out, or holds the redacted value of
 * `viewHook`, so that clients may send back what they read.
 */
export function keepSecrets(old: HookSettings | undefined, next: HookSettings): HookSettings {
  if (!old || old.type !== next.type) return next;
  const shown = viewHook(old).config;
  const isKept = (key: string) =>
    Object.hasOwn(shown, key)
      ? Object.hasOwn(next.config, key) && Bun.deepEquals(next.config[key], shown[key])
      : !Object.hasOwn(next.config, key);
  const kept = Object.entries(old.config).filter(([key]) => isKept(key));
  return { ...next, config: { ...next.config, ...Object.fromEntries(kept) } };
}

/**
 * Refuses a replacement that would send kept secrets to another destination.
 * @param body of the request
 * @throws TorusError `invalid` naming a secret that must be given again
 */
export function checkMoved(old: HookSettings | undefined, next: HookSettings, body: unknown): void {
  if (!old || old.type !== next.type) return;
  const { destination, config: schema } = kinds.get(old.type)!;
  const sent = isRecord(body) && isRecord(body.config) ? body.config : {};
  assertSecretsStay(
    {
      old: old.config,
      shown: viewHook(old).config,
      sent,
      next: next.config,
      nextShown: viewHook(next).config,
    },
    { destination, schema, path: "config." },
  );
}

/**
 * Checks a new hook, which gets the default events, or the replacement of one; secrets that were not sent stay, unless
 * the destination changes.
 * @param body of the request, with the name
 * @throws TorusError `invalid`
 */
export function replaceHook(old: HookSettings | undefined, body: unknown, allowed: Allowances): HookSettings {
  const sent = keepSecrets(old, checkHook(fillSecrets(old, body), allowed));
  const next = withDefaultEvents(old, sent);
  checkMoved(old, next, body);
  return next;
}

/** Adds kept secrets to the body of a replacement, as clients cannot read them and so cannot send them. */
export function fillSecrets(old: HookSettings | undefined, body: unknown): unknown {
  if (!old || !isRecord(body) || body.type !== old.type || !isRecord(body.config)) return body;
  const hidden = (kinds.get(old.type)?.secrets ?? []).filter((key) => Object.hasOwn(old.config, key));
  const secrets = Object.fromEntries(hidden.map((key) => [key, old.config[key]]));
  return { ...body, config: { ...secrets, ...body.config } };
}

/** Starts of one notification whose change is looked for. */
const MAX_WITH_CHANGE = 10;

/**
 * Delivers an event, or several as one notification, to a hook in one attempt; adds links if the server has an external
 * URL, and the change before an anomaly.
 */
export async function deliverEvents(
  events: readonly HookEvent[],
  { type, config, tags = {} }: DeliveryTarget,
  context: HookContext,
): Promise<Outcome> {
  const kind = kinds.get(type);
  if (!kind) return { reject: `hooks of type ${type} are not supported`, code: "not_set_up" };
  const link = (event: HookEvent) => withJudgement(withLink(event, context), context);
  const whole = (await withFacts(await withChanges(events, context), context)).map(link);
  if (whole.length === 1) return kind.deliver(whole[0]!, config, context);
  if (!kind.deliverGroup) return { reject: ungroupedRule(type), code: "not_set_up" };
  const url = pageUrl("/anomalies", context);
  const group = { tags, events: whole, ...(url && { url }) };
  return kind.deliverGroup(group, config, context);
}

interface DeliveryTarget {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Of the group. */
  readonly tags?: Readonly<Record<string, string>>;
}

function ungroupedRule(type: string): string {
  const able = [...kinds.values()].filter(({ deliverGroup }) => deliverGroup).map(({ kind }) => kind);
  return `is for hooks of ${able.join(", ")}: leave the groups out, ${type} gets each event by itself`;
}

/** What the receivers of a checked hook would get for an event; undefined where it sends nothing for it. */
export function previewEvent(
  event: HookEvent,
  { name, type, config }: HookSettings,
  context: Omit<TextContext, "hook">,
): Preview | undefined {
  return kinds.get(type)!.preview(withLink(event, context), config, { ...context, hook: name });
}

/** The events; starts of anomalies and level shifts with the likeliest change before. */
async function withChanges(
  events: readonly HookEvent[],
  { findChange }: Pick<HookContext, "findChange">,
): Promise<readonly HookEvent[]> {
  const isTold = ({ kind, test }: HookEvent) => (kind === "anomaly_start" || kind === "level_shift") && !test;
  const starts = events.filter(isTold);
  const found = new Map<HookEvent, HookEvent>();
  for (const event of starts.slice(0, MAX_WITH_CHANGE)) {
    const change = await findChange?.(event);
    if (change) found.set(event, { ...event, change });
  }
  return events.map((event) => found.get(event) ?? event);
}

/** The events; the first with what probably caused it, and what is left of the error budget. */
async function withFacts(
  [first, ...others]: readonly HookEvent[],
  { findCause, findBudget }: Pick<HookContext, "findCause" | "findBudget">,
): Promise<readonly HookEvent[]> {
  const cause = await findCause?.(first!);
  const isTold = first!.kind === "anomaly_start" && !first!.test;
  const budget = isTold ? await findBudget?.(first!) : undefined;
  const facts = { ...(cause !== undefined && { cause }), ...(budget !== undefined && { budget }) };
  return [{ ...first!, ...facts }, ...others];
}

type LinkContext = Pick<TextContext, "externalUrl" | "hasDashboard">;

function withLink(event: HookEvent, context: LinkContext): HookEvent {
  const url = linkTo(event, context);
  return url === undefined ? event : { ...event, url };
}

function withJudgement(event: HookEvent, { judgementUrls }: Pick<HookContext, "judgementUrls">): HookEvent {
  const judge = judgementUrls?.(event);
  return judge ? { ...event, judge } : event;
}

/** URL of a page of the dashboard; without it, of the same path of the API; undefined where the server has no URL. */
export function pageUrl(path: string, { externalUrl, hasDashboard }: LinkContext): string | undefined {
  return externalUrl && `${externalUrl}${hasDashboard ? "/ui/#" : ""}${path}`;
}

/** URL of the event in the dashboard; without it, of the model or its anomalies since the start. */
function linkTo(event: HookEvent, { externalUrl, hasDashboard = false }: LinkContext): string | undefined {
  if (!externalUrl) return undefined;
  const { kind, model, episode, startedAt, source } = event;
  const topic = topicOf(kind);
  const hasEpisode = topic === "anomaly" || topic === "level_shift";
  const path = source
    ? `/buckets/${encodeURIComponent(source.bucket)}`
    : `/models/${encodeURIComponent(model)}`;
  if (hasDashboard) {
    const page = topic === "forecast" ? "/forecast" : "";
    const at = hasEpisode ? `?at=${encodeURIComponent(episode)}` : "";
    return `${externalUrl}/ui/#${path}${page}${at}`;
  }
  const view = hasEpisode ? `/anomalies?from=${Math.floor(startedAt / 1000)}&` : "?";
  return `${externalUrl}${path}${view}pretty=true`;
}

/** Interval of resends of a start while the anomaly lasts; undefined: none. */
export function findResendMs(type: string): number | undefined {
  return kinds.get(type)?.resendEveryMs;
}

/**
 * Receiver of a hook: host and port, bucket, or program. Hooks with one receiver share its failures and delays.
 */
export function receiverOf(type: string, config: Readonly<Record<string, unknown>>): string {
  const { url, bucket, path, addr } = config;
  if (typeof url === "string") return URL.parse(url)?.host ?? type;
  const target = bucket ?? path ?? addr;
  return typeof target === "string" ? `${type} ${target}` : type;
}
