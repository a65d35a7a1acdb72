// Kind `webhook`: JSON to any URL, in the format of Alertmanager's webhook receiver or in one of the hook's own.
import { type Static, Type } from "@sinclair/typebox";
import { type HookEvent, isEnd, isStart } from "../core/anomaly/event.ts";
import { invalid } from "../core/errors.ts";
import type { HookContext, HookKind, TextContext } from "./kind.ts";
import { toAlert } from "./shared/alert.ts";
import {
  type BodyRequest,
  bodySettings,
  checkBody,
  checkGroupedBody,
  fillBody,
  MAX_BODY_BYTES,
  valuesOfEvent,
  valuesOfGroup,
} from "./shared/body.ts";
import { type EventGroup, summarizeGroup } from "./shared/group.ts";
import { checkReach, httpSettings, postJson, urlSchema } from "./shared/http.ts";
import type { Outcome } from "./shared/outcome.ts";

/** Headers that the service sets itself. */
const ownHeaders =
  /^(host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|expect|idempotency-key|x-torus-.*)$/i;
const headersRule = "must be headers by name, in printable ASCII, without those that the service sets itself";
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/i;

const headerValue = Type.String({
  maxLength: 4096,
  pattern: "^[\\t\\u0020-\\u007e]*$",
  rule: "must be at most 4096 characters of printable ASCII",
});

const WebhookConfig = Type.Object(
  {
    url: urlSchema("URL that events are sent to"),
    secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "Key of the signature in `X-Torus-Signature: sha256=<HMAC of the body, hex>`",
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), headerValue, {
        maxProperties: 50,
        description: "Further headers, such as for authentication",
        rule: headersRule,
      }),
    ),
    ...bodySettings,
    ...httpSettings,
  },
  { additionalProperties: false },
);
type WebhookConfig = Static<typeof WebhookConfig>;

export const webhook: HookKind<typeof WebhookConfig> = {
  kind: "webhook",
  description: "Sends JSON in the shape of Alertmanager's webhooks (version 4), or a body of your own",
  config: WebhookConfig,
  secrets: ["secret", "headers", "values"],
  shown: ["body", "end_body"],
  destination: ["url", "end_url", "verify_ssl"],
  check: (config, path, allowed) => {
    const { url, headers = {} } = config;
    checkBody(config, path);
    checkReach(url, `${path}.url`, allowed);
    const wrong = Object.keys(headers).some((name) => !headerName.test(name) || ownHeaders.test(name));
    if (wrong) throw invalid(`${path}.headers`, headersRule);
  },
  checkGrouped: checkGroupedBody,
  preview: (event, config, context) => ({ text: requestOf(event, config, context, true).body }),
  deliver: (event, config, context) => post(requestOf(event, config, context), config, context),
  deliverGroup: (group, config, context) => post(requestOfGroup(group, config, context), config, context),
};

function requestOf(
  event: HookEvent,
  config: WebhookConfig,
  context: TextContext,
  isPreview = false,
): BodyRequest {
  if (config.body === undefined) return toJson(config.url, toPayload(event, context), isPreview);
  const values = valuesOfEvent(event, context.timezone);
  return fillBody(config, { isOver: isEnd(event.kind), values, isPreview });
}

function requestOfGroup(group: EventGroup, config: WebhookConfig, context: TextContext): BodyRequest {
  if (config.body === undefined) return toJson(config.url, toGroupPayload(group, context));
  const isOver = group.events.every(({ kind }) => isEnd(kind));
  return fillBody(config, { isOver, values: valuesOfGroup(group, context.timezone) });
}

function toJson(url: string, payload: object, isPreview = false): BodyRequest {
  return { url, body: JSON.stringify(payload, null, isPreview ? 2 : 0), contentType: "application/json" };
}

async function post(
  request: BodyRequest,
  { secret, headers = {}, values = {}, body: template, verify_ssl }: WebhookConfig,
  context: HookContext,
): Promise<Outcome> {
  const { body } = request;
  if (template !== undefined && Buffer.byteLength(body) > MAX_BODY_BYTES)
    return { reject: `the filled body has more than ${MAX_BODY_BYTES} bytes`, code: "rejected" };
  const signed = secret === undefined ? {} : { "X-Torus-Signature": `sha256=${sign(body, secret)}` };
  return postJson(
    {
      software: "webhook",
      ...request,
      headers: { ...headers, ...signed, "Idempotency-Key": context.key },
      secrets: [
        ...(secret === undefined ? [] : [secret]),
        ...Object.values(headers),
        ...Object.values(values),
      ],
      verify_ssl,
      publicOnly: !context.allowPrivate,
    },
    context,
  );
}

function sign(body: string, secret: string): string {
  return new Bun.CryptoHasher("sha256", secret).update(body).digest("hex");
}

function toPayload(event: HookEvent, { hook, timezone, externalUrl }: TextContext) {
  const alert = toWebhookAlert(event, timezone);
  return {
    version: "4",
    groupKey: `{}:{model="${event.model}"}`,
    truncatedAlerts: 0,
    status: alert.status,
    receiver: hook,
    groupLabels: { model: event.model },
    commonLabels: alert.labels,
    commonAnnotations: alert.annotations,
    externalURL: externalUrl ?? "",
    alerts: [alert],
    event,
  };
}

function toGroupPayload(group: EventGroup, { hook, timezone, externalUrl }: TextContext) {
  const { tags, events } = group;
  const alerts = events.map((event) => toWebhookAlert(event, timezone));
  const key = Object.entries(tags).map(([tag, value]) => `${tag}="${value}"`);
  return {
    version: "4",
    groupKey: `{}:{${key.join(",")}}`,
    truncatedAlerts: 0,
    status: alerts.some(({ status }) => status === "firing") ? "firing" : "resolved",
    receiver: hook,
    groupLabels: tags,
    commonLabels: commonOf(alerts.map(({ labels }) => labels)),
    commonAnnotations: commonOf(alerts.map(({ annotations }) => annotations)),
    externalURL: externalUrl ?? "",
    alerts,
    summary: summarizeGroup(group),
    events,
  };
}

function toWebhookAlert(event: HookEvent, timezone: string) {
  const { labels, annotations, startsAt, endsAt } = toAlert(event, { timezone });
  const fingerprint = new Bun.CryptoHasher("sha256")
    .update(JSON.stringify(labels))
    .digest("hex")
    .slice(0, 16);
  return {
    status: isStart(event.kind) ? "firing" : "resolved",
    labels,
    annotations,
    startsAt,
    // Go's zero time: the anomaly lasts.
    endsAt: endsAt ?? "0001-01-01T00:00:00Z",
    generatorURL: event.url ?? "",
    fingerprint,
  };
}

/** The entries that all have with the same value. */
function commonOf(all: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>> {
  const [first = {}, ...others] = all;
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((other) => other[name] === value)),
  );
}
