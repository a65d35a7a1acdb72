// Kind `mail`: text, recipients, and injection of headers and placeholders.
import { describe, expect, test } from "bun:test";
import type { HookEvent } from "../../../src/core/anomaly/event.ts";
import { checkHook } from "../../../src/hooks/index.ts";
import { composeMail, type MailConfig, mail } from "../../../src/hooks/mail/index.ts";
import { createMailer } from "../../../src/hooks/mail/smtp.ts";
import { startSmtp } from "../../support/smtp.ts";
import { low, makeContext, makeEnd, makeStart, usage } from "../events.ts";

const config: MailConfig = {
  from: { name: "Torus", address: "torus@example.org" },
  to: { address: "a@b.c" },
};
const context = makeContext();

function compose(event: HookEvent, templates: MailConfig["templates"] = {}) {
  return composeMail(event, { ...config, templates }, context);
}

describe("texts", () => {
  const every = "{model}|{score}|{date}|{predicted}|{observed}|{reason}|{{x}}";

  test("every placeholder has its value, in the server's time zone", () => {
    const { text, subject } = compose(makeStart(), {
      anomaly_start: { content: every, subject: "{model} {score}" },
    });
    expect(text).toBe(
      'm|76.0|2018-05-16 17:00:20.966000+02:00|{"count_all_requests":8.5}|{"count_all_requests":1}|' +
        "feature count_all_requests is too low (score = 76.0)|{x}",
    );
    expect(subject).toBe("m 76.0");
  });

  test("one line of reasons per feature", () => {
    const features = { a: low, b: { ...low, type: "high" as const, score: 99 } };
    const { text } = compose(makeStart({ features }), { anomaly_start: { content: "{reason}" } });
    expect(text).toBe("feature a is too low (score = 76.0)\nfeature b is too high (score = 99.0)");
  });

  test("both events have defaults, part by part", () => {
    const start = compose(makeStart());
    expect(start.subject).toBe("count_all_requests is too low: 1");
    expect(start.text).toContain("since:    2018-05-16 17:00:20+02:00");
    const end = compose(makeEnd({ closedBy: "model {deleted}" }), {
      anomaly_end: { subject: "over {score}" },
    });
    expect(end.subject).toBe("over 12.3");
    expect(end.text).toContain("The anomaly is over; it lasted 5 min.");
    expect(end.text).toContain("Closed by: model {deleted}.");
  });

  test("the defaults of 2.0, as templates of their own, render as they did", () => {
    const content =
      "Model {model} detected an anomaly at {date} (score = {score}).\n\n{reason}\n\nobserved: {observed}\nexpected: {predicted}";
    const start = compose(makeStart(), {
      anomaly_start: { subject: "Anomaly: model {model} (score = {score})", content },
    });
    expect(start.subject).toBe("Anomaly: model m (score = 76.0)");
    expect(start.text).toBe(
      "Model m detected an anomaly at 2018-05-16 17:00:20.966000+02:00 (score = 76.0).\n\n" +
        "feature count_all_requests is too low (score = 76.0)\n\n" +
        'observed: {"count_all_requests":1}\nexpected: {"count_all_requests":8.5}',
    );
    const end = compose(makeEnd(), {
      anomaly_end: {
        subject: "Anomaly over: model {model}",
        content: "The anomaly of model {model} ended at {date} (score = {score}).",
      },
    });
    expect([end.subject, end.text]).toEqual([
      "Anomaly over: model m",
      "The anomaly of model m ended at 2018-05-16 17:05:20.966000+02:00 (score = 12.3).",
    ]);
  });

  test("placeholders of the feature's source, its band and the times", () => {
    const content =
      "{bucket}|{metric}|{field}|{tags}|{tag.host}|{tag.none}|{lower}|{upper}|{expected}|{factor}|{direction}|{since}|{duration}|{url}";
    const event = { features: { user: usage }, url: "https://torus.example.org/x" };
    expect(compose(makeStart(event), { anomaly_start: { content } }).text).toBe(
      "telegraf|avg|usage_user|host=web-1, cpu=total|web-1||8|12|10|41.7|high|2018-05-16 17:00:20+02:00||https://torus.example.org/x",
    );
    const end = compose(makeEnd(event), { anomaly_end: { content: "{duration} {lower}" } });
    expect(end.text).toBe("5 min 8");
    const both = makeStart({ features: { user: usage, low } });
    expect(compose(both, { anomaly_start: { content: "{lower} {direction}" } }).text).toBe(
      "user: 8, low: 6 user: high, low: low",
    );
  });

  test("a made-up event says so", () => {
    expect(compose(makeStart({ test: true })).subject).toStartWith("[test] ");
    expect(compose(makeEnd({ test: true })).text).toStartWith("This is a test");
  });

  test("values are never expanded again", () => {
    const features = { "{score}{{model}}": low };
    const { text } = compose(makeStart({ features, model: "{reason}" }), {
      anomaly_start: { content: "{model} {observed}" },
    });
    expect(text).toBe('{reason} {"{score}{{model}}":1}');
  });
});

describe("Message-ID", () => {
  test("is the same in every attempt, and another for another event, hook or model", () => {
    const ids = [
      compose(makeStart()),
      compose(makeEnd()),
      compose(makeStart({ episode: "another" })),
      compose(makeStart({ model: "another" })),
      composeMail(makeStart(), config, { ...context, hook: "another" }),
      composeMail(makeStart(), config, { ...context, isGlobal: true }),
    ].map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(compose(makeStart()).messageId).toBe(ids[0]!);
    for (const id of ids) expect(id).toMatch(/^<[0-9a-f]{40}@example\.org>$/);
  });

  test("an end belongs to its start", () => {
    expect(compose(makeEnd()).references).toBe(compose(makeStart()).messageId);
    expect(compose(makeStart()).references).toBeUndefined();
  });
});

test("without a mail server the event waits for one", async () => {
  expect(await mail.deliver(makeStart(), config, context)).toEqual({
    retry: expect.stringContaining("plugins.d/mail.yml"),
    code: "not_set_up",
  });
});

test("promise of security: no line break of a value begins a header", async () => {
  const server = await startSmtp();
  const sendMail = createMailer({ host: "127.0.0.1", port: server.port });
  const evil = "x\r\nBcc: evil@example.org\r\n\r\nbody\u0000\u2028Bcc: b@example.org";
  const hook = checkHook({
    type: "mail",
    name: "h",
    config: {
      ...config,
      templates: { anomaly_start: { subject: "{reason} {model}", content: "{reason}\r\n.\r\nQUIT" } },
    },
  });
  const event = makeStart({ model: evil, features: { [evil]: low } });
  const outcome = await mail.deliver(event, hook.config as MailConfig, makeContext({ sendMail }));
  expect(outcome).toBe("sent");
  const [received] = server.mails;
  expect(received!.to).toEqual(["a@b.c"]);
  expect([...received!.headers.keys()].sort()).toEqual([
    "auto-submitted",
    "content-transfer-encoding",
    "content-type",
    "date",
    "from",
    "message-id",
    "mime-version",
    "subject",
    "to",
  ]);
  expect(received!.text).toContain("\n.\nQUIT");
  await server.stop();
});
