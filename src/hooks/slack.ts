// Kind `slack`: a channel message through an incoming webhook of Slack or a compatible server.
import { type Static, Type } from "@sinclair/typebox";
import type { HookEvent } from "../core/anomaly/event.ts";
import type { HookContext, HookKind } from "./kind.ts";
import { composeShort, judgementLine } from "./shared/describe.ts";
import { composeGroup, summarizeGroup } from "./shared/group.ts";
import { checkReach, httpSettings, postJson, urlSchema } from "./shared/http.ts";
import type { Outcome } from "./shared/outcome.ts";
import { checkTexts, EventTexts, renderText } from "./shared/text.ts";

const SlackConfig = Type.Object(
  {
    url: urlSchema("URL of the incoming webhook; it grants permission to write"),
    templates: Type.Optional(EventTexts),
    ...httpSettings,
  },
  { additionalProperties: false },
);
type SlackConfig = Static<typeof SlackConfig>;

export const slack: HookKind<typeof SlackConfig> = {
  kind: "slack",
  description: "Writes into a channel through an incoming webhook",
  config: SlackConfig,
  secrets: ["url"],
  destination: ["verify_ssl"],
  check: ({ url, templates }, path, allowed) => {
    checkReach(url, `${path}.url`, allowed);
    checkTexts(templates, `${path}.templates`);
  },
  preview: (event, { templates }, { timezone }) => ({ text: composeMessage(event, templates, timezone) }),
  deliver: (event, config, context) =>
    post(composeMessage(event, config.templates, context.timezone), config, context),
  deliverGroup: (group, config, context) => {
    const text = composeGroup(group, context.timezone, { below: linksOf, escapeText });
    return post(`${escapeText(summarizeGroup(group))}\n${text}`, config, context);
  },
};

function post(text: string, { url, verify_ssl }: SlackConfig, context: HookContext): Promise<Outcome> {
  const body = JSON.stringify({ text });
  return postJson({ software: "slack", url, body, verify_ssl, publicOnly: !context.allowPrivate }, context);
}

function composeMessage(event: HookEvent, templates: SlackConfig["templates"], timezone: string): string {
  const own = templates?.[event.kind];
  if (own === undefined) return [escapeText(composeShort(event, timezone)), ...linksOf(event)].join("\n");
  return `${event.test ? "[test] " : ""}${renderText(own, event, timezone, escapeText)}`;
}

/** Links of Slack's own form. */
function linksOf(event: HookEvent): string[] {
  return judgementLine(event, (label, url) => `<${url}|${label}>`);
}

/** Of names and values, so that they form no mentions or links. */
function escapeText(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
