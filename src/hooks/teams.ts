// Kind `teams`: an Adaptive Card through the webhook of a workflow of Microsoft Teams; its texts are Markdown.
import { type Static, Type } from "@sinclair/typebox";
import { type HookEvent, isEnd, isStart } from "../core/anomaly/event.ts";
import type { HookContext, HookKind } from "./kind.ts";
import { buttonsOf, factsOf, judgementLine, tellShort, titleOf } from "./shared/describe.ts";
import { composeGroup, type EventGroup, summarizeGroup } from "./shared/group.ts";
import { checkReach, httpSettings, postJson, urlSchema } from "./shared/http.ts";
import type { Outcome } from "./shared/outcome.ts";
import { checkTexts, cutBytes, EventTexts, renderText } from "./shared/text.ts";

/** Teams refuses messages of about 28 kB, to which a workflow adds its own part. */
const MAX_BYTES = 20_000;
const MAX_TITLE_BYTES = 500;
const MAX_FACT_BYTES = 300;
const MAX_LINE_BYTES = 4000;

const TeamsConfig = Type.Object(
  {
    url: urlSchema("URL of the workflow's webhook; it grants permission to write"),
    templates: Type.Optional(EventTexts),
    ...httpSettings,
  },
  { additionalProperties: false },
);
type TeamsConfig = Static<typeof TeamsConfig>;

export const teams: HookKind<typeof TeamsConfig> = {
  kind: "teams",
  description: "Writes a card into a chat or channel of Microsoft Teams through the webhook of a workflow",
  config: TeamsConfig,
  secrets: ["url"],
  destination: ["verify_ssl"],
  check: ({ url, templates }, path, allowed) => {
    checkReach(url, `${path}.url`, allowed);
    checkTexts(templates, `${path}.templates`);
  },
  preview: (event, { templates }, { timezone }) => {
    const { lines, facts } = compose(event, templates, { timezone, escapeValue: (text) => text });
    const listed = facts.map(({ title, value }) => `${title}: ${value}`);
    return { subject: titleOf(event), text: [...lines, ...listed].join("\n") };
  },
  deliver: (event, config, context) =>
    post(toCard(event, config.templates, context.timezone), config, context),
  deliverGroup: (group, config, context) => post(toGroupCard(group, context.timezone), config, context),
};

function post(card: Card, { url, verify_ssl }: TeamsConfig, context: HookContext): Promise<Outcome> {
  const body = JSON.stringify(toMessage(card));
  return postJson({ software: "teams", url, body, verify_ssl, publicOnly: !context.allowPrivate }, context);
}

interface Card {
  readonly title: string;
  readonly color: "attention" | "good" | "accent";
  /** Markdown, an element each. */
  readonly lines: readonly string[];
  readonly facts: readonly { readonly title: string; readonly value: string }[];
  readonly buttons: readonly (readonly [label: string, url: string])[];
}

function toCard(event: HookEvent, templates: TeamsConfig["templates"], timezone: string): Card {
  const begun = isStart(event.kind) ? "attention" : "accent";
  return {
    title: titleOf(event),
    color: isEnd(event.kind) ? "good" : begun,
    ...compose(event, templates, { timezone, escapeValue: escapeText }),
    buttons: [
      ...(event.url === undefined ? [] : [["Open", event.url] as const]),
      ...(event.judge ? buttonsOf(event.judge) : []),
    ],
  };
}

function toGroupCard({ url, ...group }: EventGroup, timezone: string): Card {
  const below = (event: HookEvent) => judgementLine(event, (label, link) => `[${label}](${link})`);
  return {
    title: summarizeGroup(group),
    color: group.events.every(({ kind }) => isEnd(kind)) ? "good" : "attention",
    lines: composeGroup(group, timezone, { below, escapeText }).split("\n"),
    facts: [],
    buttons: url === undefined ? [] : [["Open", url]],
  };
}

/** What stands below the title: an own text, or sentences and facts. */
function compose(
  event: HookEvent,
  templates: TeamsConfig["templates"],
  { timezone, escapeValue }: { timezone: string; escapeValue: (text: string) => string },
): Pick<Card, "lines" | "facts"> {
  const own = templates?.[event.kind];
  if (own !== undefined)
    return { lines: renderText(own, event, timezone, escapeValue).split("\n"), facts: [] };
  // The link is a button.
  const facts = factsOf(event, timezone).filter(([title]) => title !== "link");
  return {
    lines: tellShort(event, timezone).map(escapeValue),
    facts: facts.map(([title, value]) => ({ title, value })),
  };
}

/** The message of a card, with as many lines as fit. */
function toMessage({ title, color, lines, facts, buttons }: Card) {
  const heading = {
    ...textBlock(escapeText(cutBytes(title, MAX_TITLE_BYTES))),
    ...{ size: "medium", weight: "bolder", color },
  };
  const shown = facts.map(({ title, value }) => ({
    title,
    value: escapeText(cutBytes(value, MAX_FACT_BYTES)),
  }));
  const below = shown.length > 0 ? [{ type: "FactSet", facts: shown }] : [];
  const actions = buttons.map(([label, url]) => ({ type: "Action.OpenUrl", title: label, url }));
  const wrap = (blocks: readonly object[]) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          msteams: { width: "Full" },
          body: [heading, ...blocks, ...below],
          ...(actions.length > 0 && { actions }),
        },
      },
    ],
  });
  return wrap(fitBlocks(lines, MAX_BYTES - sizeOf(wrap([]))));
}

/** An element per line; beyond `maxBytes` an ellipsis. */
function fitBlocks(lines: readonly string[], maxBytes: number): readonly object[] {
  const blocks: object[] = [];
  let left = maxBytes - sizeOf(textBlock("…"));
  for (const line of lines.filter((text) => text !== "")) {
    const block = { ...textBlock(cutBytes(line, MAX_LINE_BYTES)), spacing: "small" };
    left -= sizeOf(block) + 1;
    if (left < 0) return [...blocks, textBlock("…")];
    blocks.push(block);
  }
  return blocks;
}

function textBlock(text: string) {
  return { type: "TextBlock", text, wrap: true };
}

function sizeOf(part: object): number {
  return Buffer.byteLength(JSON.stringify(part));
}

/** Marks and links of Markdown, the beginning of a mention, and that of an address; `_` within a word is a letter. */
const marks = /[\\`*[\]<>&~]|:(?=\/\/)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const control = /[^\P{Cc}\n]/gu;

/** Of names and values, so that they form no mentions or links. */
function escapeText(value: string): string {
  return value.toWellFormed().replace(control, " ").replace(marks, "\\$&");
}
