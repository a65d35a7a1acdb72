// Kind `ntfy`: push notifications to phones and desktops, published to a topic of an ntfy server.

import { type Static, Type } from "@sinclair/typebox";
import type { JudgementUrls } from "../core/access/judgement-link.ts";
import { type EventKind, type HookEvent, isStart } from "../core/anomaly/event.ts";
import type { HookContext, HookKind } from "./kind.ts";
import { buttonsOf, composeShort, listLinks, titleOf } from "./shared/describe.ts";
import { composeGroup, type EventGroup, summarizeGroup } from "./shared/group.ts";
import { checkReach, httpSettings, postJson, urlSchema } from "./shared/http.ts";
import type { Outcome } from "./shared/outcome.ts";
import { checkTexts, cutBytes, EventTexts, renderText } from "./shared/text.ts";

const DEFAULT_URL = "https://ntfy.sh";
/** A server turns a longer message into an attachment, which phones do not show. */
const MAX_MESSAGE_BYTES = 4096;
/** Anomalies of a group with links: those of ten would fill a message. */
const MAX_LINKED = 3;
const START_PRIORITY = 4;
const END_PRIORITY = 3;
const ENDED = "white_check_mark";
/** Short codes of the emoji in front of the title. */
const emoji: Readonly<Record<EventKind, string>> = {
  anomaly_start: "rotating_light",
  anomaly_end: ENDED,
  level_shift: "chart_with_upwards_trend",
  silence_start: "mute",
  silence_end: ENDED,
  source_down: "electric_plug",
  source_up: ENDED,
  forecast_start: "crystal_ball",
  forecast_end: ENDED,
  drift_start: "compass",
  drift_end: ENDED,
};

const NtfyConfig = Type.Object(
  {
    url: Type.Optional({
      ...urlSchema("Address of the server, without the topic"),
      default: DEFAULT_URL,
    }),
    topic: Type.String({
      pattern: "^[-_A-Za-z0-9]{1,64}$",
      description: "Topic; a secret, since it is all that a subscriber of a public server needs",
      rule: "must be 1 to 64 letters, digits, - or _",
    }),
    token: Type.Optional(
      Type.String({
        pattern: "^[\\u0021-\\u007e]{1,1024}$",
        description: "Access token, for servers with access control",
        rule: "must be 1 to 1024 visible ASCII characters",
      }),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5,
        default: START_PRIORITY,
        description: `Priority of the start of an anomaly, 1 (min) to 5 (max); its end has ${END_PRIORITY}`,
        rule: "must be a whole number from 1 to 5",
      }),
    ),
    templates: Type.Optional(EventTexts),
    ...httpSettings,
  },
  { additionalProperties: false },
);
type NtfyConfig = Static<typeof NtfyConfig>;

export const ntfy: HookKind<typeof NtfyConfig> = {
  kind: "ntfy",
  description: "Publishes push notifications to a topic of an ntfy server",
  config: NtfyConfig,
  secrets: ["topic", "token"],
  destination: ["url", "verify_ssl"],
  check: ({ url, templates }, path, allowed) => {
    if (url !== undefined) checkReach(url, `${path}.url`, allowed);
    checkTexts(templates, `${path}.templates`);
  },
  preview: (event, config, { timezone }) => {
    const { title, message } = toMessage(event, config, timezone);
    return { subject: title, text: message };
  },
  deliver: (event, config, context) => post(toMessage(event, config, context.timezone), config, context),
  deliverGroup: (group, config, context) =>
    post(toGroupMessage(group, config, context.timezone), config, context),
};

function post(message: object, config: NtfyConfig, context: HookContext): Promise<Outcome> {
  const { url = DEFAULT_URL, topic, token, verify_ssl } = config;
  return postJson(
    {
      software: "ntfy",
      url,
      body: JSON.stringify(message),
      headers: token === undefined ? undefined : { Authorization: `Bearer ${token}` },
      secrets: [topic, ...(token === undefined ? [] : [token])],
      verify_ssl,
      publicOnly: !context.allowPrivate,
    },
    context,
  );
}

/** The body of "publish as JSON" (docs.ntfy.sh/publish). */
function toMessage(event: HookEvent, config: NtfyConfig, timezone: string) {
  const { topic, priority = START_PRIORITY, templates = {} } = config;
  const own = templates[event.kind];
  const [, ...details] = composeShort(event, timezone).split("\n");
  const message = own === undefined ? details.join("\n") : renderText(own, event, timezone);
  return {
    topic,
    title: titleOf(event),
    message: cutBytes(message, MAX_MESSAGE_BYTES),
    priority: isStart(event.kind) ? priority : END_PRIORITY,
    tags: [emoji[event.kind]],
    ...(event.judge && { actions: toActions(event.judge) }),
    ...(event.url !== undefined && { click: event.url }),
  };
}

/** Buttons that open a page (docs.ntfy.sh/publish, action buttons): three at most. */
function toActions(judge: JudgementUrls) {
  return buttonsOf(judge).map(([label, url]) => ({ action: "view", label, url }));
}

/** Below an anomaly of a group: a message has three buttons at most, which would be those of one. */
function linksOf({ judge }: HookEvent, rank: number): string[] {
  return judge && rank < MAX_LINKED ? listLinks(judge).map((line) => `  ${line}`) : [];
}

function toGroupMessage(group: EventGroup, config: NtfyConfig, timezone: string) {
  const { topic, priority = START_PRIORITY } = config;
  const isNew = group.events.some(({ kind }) => isStart(kind));
  return {
    topic,
    title: summarizeGroup(group),
    message: cutBytes(composeGroup(group, timezone, { below: linksOf }), MAX_MESSAGE_BYTES),
    priority: isNew ? priority : END_PRIORITY,
    tags: [isNew ? emoji.anomaly_start : ENDED],
    ...(group.url !== undefined && { click: group.url }),
  };
}
