// Kind `mail`: a message per event, the end of an anomaly as an answer to its start.
import { type Static, Type } from "@sinclair/typebox";
import { type HookEvent, isStart } from "../../core/anomaly/event.ts";
import type { HookContext, HookKind, TextContext } from "../kind.ts";
import { composeText, listLinks, summarize } from "../shared/describe.ts";
import { composeGroup, type EventGroup, summarizeGroup } from "../shared/group.ts";
import type { Outcome } from "../shared/outcome.ts";
import { checkText, perEvent, renderText } from "../shared/text.ts";
import type { Mail } from "./smtp.ts";

/** What to do without a mail server. */
export const NO_MAIL_SERVER =
  "no mail server is configured; set it in the file of --mail-config or plugins.d/mail.yml, and reload the settings";

const noControl = (description: string) =>
  Type.String({
    maxLength: 998,
    pattern: "^[^\\u0000-\\u001f\\u007f]*$",
    description,
    rule: "must not hold line breaks or other control characters",
  });

/** Local part or domain: no white space, control characters or characters with a meaning in mail headers. */
const addressPart = '[^\\s\\u0000-\\u001f\\u007f@<>,;:"()\\[\\]\\\\]+';

/** A sender or recipient. */
export const Mailbox = Type.Object(
  {
    name: Type.Optional(noControl("Display name")),
    address: Type.String({
      maxLength: 320,
      pattern: `^${addressPart}@${addressPart}$`,
      description: "Mail address",
      rule: "must be a mail address, as in ops@example.org",
    }),
  },
  { additionalProperties: false },
);

const Message = Type.Object(
  {
    subject: Type.Optional(noControl("Subject; placeholders `{model}` and so on")),
    content: Type.Optional(Type.String({ maxLength: 65_536, description: "Text; the same placeholders" })),
  },
  { additionalProperties: false },
);

const MailConfig = Type.Object(
  {
    from: Mailbox,
    to: Type.Union([Mailbox, Type.Array(Mailbox, { minItems: 1, maxItems: 100 })], {
      description: "One recipient, or a list of them",
      rule: "must be {name?, address}, or a list of these",
    }),
    templates: Type.Optional(
      Type.Object(perEvent(Message), {
        additionalProperties: false,
        description: "Texts of the messages, each with a default",
      }),
    ),
  },
  { additionalProperties: false },
);
export type MailConfig = Static<typeof MailConfig>;

export const mail: HookKind<typeof MailConfig> = {
  kind: "mail",
  description: "Sends a mail through the mail server of the settings",
  config: MailConfig,
  secrets: [],
  destination: [],
  check: ({ templates = {} }, path) => {
    for (const [event, message] of Object.entries(templates)) {
      for (const [part, text] of Object.entries(message ?? {})) {
        checkText(text, `${path}.templates.${event}.${part}`);
      }
    }
  },
  preview: (event, config, context) => {
    const { to, subject, text } = composeMail(event, config, context);
    return { to: to.map(({ address }) => address), subject, text };
  },
  deliver: async (event, config, context) => send(composeMail(event, config, context), context),
  deliverGroup: async (group, config, context) => send(composeGroupMail(group, config, context), context),
};

async function send(mail: Mail, { sendMail, signal }: HookContext): Promise<Outcome> {
  if (sendMail) return sendMail(mail, signal);
  return { retry: NO_MAIL_SERVER, code: "not_set_up" };
}

function composeGroupMail(group: EventGroup, { from, to }: MailConfig, context: HookContext): Mail {
  const { hook, isGlobal = false, key, timezone } = context;
  return {
    from,
    to: [to].flat(),
    subject: summarizeGroup(group),
    text: composeGroup(group, timezone, { below: listIndented }),
    messageId: makeMessageId(key, { hook: isGlobal ? `global/${hook}` : hook, model: "", from }),
  };
}

function listIndented({ judge }: HookEvent): string[] {
  return judge ? listLinks(judge).map((line) => `  ${line}`) : [];
}

/** The message for an event. */
export function composeMail(
  event: HookEvent,
  { from, to, templates = {} }: MailConfig,
  { hook, timezone, isGlobal = false }: Pick<TextContext, "hook" | "timezone" | "isGlobal">,
): Mail {
  const { subject, content } = templates[event.kind] ?? {};
  const render = (text: string) => renderText(text, event, timezone);
  const identify = (id: string) =>
    makeMessageId(id, { hook: isGlobal ? `global/${hook}` : hook, model: event.model, from });
  return {
    from,
    to: [to].flat(),
    subject: `${event.test ? "[test] " : ""}${subject === undefined ? summarize(event) : render(subject)}`,
    text: content === undefined ? composeText(event, timezone) : render(content),
    messageId: identify(event.id),
    ...(!isStart(event.kind) && { references: identify(`${event.episode}:start`) }),
  };
}

/** Message-ID: the same in every attempt, so that receivers drop duplicates; unique per hook. */
function makeMessageId(
  id: string,
  { hook, model, from }: { hook: string; model: string; from: MailConfig["from"] },
): string {
  const digest = new Bun.CryptoHasher("sha256").update(`${model}/${hook}/${id}`).digest("hex");
  return `<${digest.slice(0, 40)}@${from.address.split("@").at(-1)}>`;
}
