// Reports by mail: the page and the text, and what becomes of refusals.
import { expect, test } from "bun:test";
import type { Mail } from "../../../src/hooks/mail/smtp.ts";
import type { Outcome } from "../../../src/hooks/shared/outcome.ts";
import { useStore } from "../../store/temporary.ts";
import { makeReports } from "./reports.ts";

const store = useStore();
const to = [{ address: "ops@example.org" }];
const sender = { name: "Torus", address: "torus@example.org" };
const sendWith = (outcome: Outcome, body: unknown = { to, sender }) =>
  makeReports(store, { sendMail: async () => outcome }).send(body);

test("a mail has the page, the text and the title", async () => {
  const mails: Mail[] = [];
  const reports = makeReports(store, {
    sendMail: async (mail) => {
      mails.push(mail);
      return "sent";
    },
  });
  await reports.send({ to, sender, from: "now-1d" });
  expect(mails).toEqual([
    {
      ...{ from: sender, to, subject: "Torus: 2026-02-07 00:00+00:00 to 2026-02-08 00:00+00:00" },
      html: expect.stringContaining("<h2>What happened</h2>"),
      text: expect.stringContaining("WHAT HAPPENED"),
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@example\.org>$/),
    },
  ]);
});

test.each([
  [
    "a refusal",
    { reject: "answered 550", code: "unreachable" },
    { code: "invalid", message: "answered 550" },
  ],
  [
    "a mail server that is busy",
    { retry: "answered 451", code: "unreachable" },
    { code: "overloaded", message: "answered 451" },
  ],
] as const)("%s", async (_, outcome, error) => {
  await expect(sendWith(outcome)).rejects.toMatchObject(error);
});

test.each([
  [{ sender }, "to"],
  [{ to: [], sender }, "to"],
  [{ to }, "sender"],
  [{ to: [{ address: "ops" }], sender }, "to.0.address: must be a mail address"],
  [{ to, sender: { ...sender, name: "a\nBcc: b@example.org" } }, "sender.name: must not hold line breaks"],
  [{ to, sender, from: "now-93d" }, "from: must be at most 92 days"],
  [{ to, sender, subject: "x" }, "subject"],
  [null, "body"],
])("refused: %j", async (body, message) => {
  await expect(sendWith("sent", body)).rejects.toThrow(message);
});

test("without a mail server the way to one is named", async () => {
  await expect(makeReports(store).send({ to, sender })).rejects.toMatchObject({
    code: "not_supported",
    message: expect.stringContaining("--mail-config"),
  });
});
