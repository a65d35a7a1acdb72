// Commands of reports: what happened in a range, as text, as a page, or by mail.
import type { ReportView } from "../../../api/server/report.ts";
import { defineCommand } from "../../command/command.ts";
import { openRangeOptions, rangeQuery } from "../../command/options.ts";
import { answerDone } from "../../output/present.ts";

const report = defineCommand({
  name: "report",
  group: "live detection",
  summary: "Show what happened in a range: incidents, alarms and how to have fewer, changes",
  details: ["Default: the last seven days; at most 92."],
  options: {
    ...openRangeOptions,
    html: { description: "As a page of one file, for browsers, mails and paper" },
  },
  examples: [
    ["torus report", "the last seven days"],
    ["torus report --from now-31d --html > report.html", "a page of the last month"],
  ],
  async run(context, { options: { html, ...range } }) {
    const query = rangeQuery(range);
    if (context.globals.json && !html) {
      context.answer(await context.client.call<ReportView>("GET /report", { query }));
      return;
    }
    const format = html ? "html" : "text";
    const answer = await context.client.open("GET /report", { query: { ...query, format } });
    context.print((await answer.text()).trimEnd());
  },
});

const sendReport = defineCommand({
  name: "send-report",
  group: "live detection",
  summary: "Send what happened by mail, through the mail server of the settings",
  arguments: { to: { description: "Mail address of a recipient", many: true } },
  options: {
    sender: { value: "ADDRESS", required: true, description: "Mail address of the sender" },
    from: { ...openRangeOptions.from, fallback: "now-7d" },
  },
  examples: [["torus send-report ops@example.org --sender torus@example.org", "the last seven days"]],
  async run(context, { arguments: { to }, options: { sender, ...range } }) {
    const recipients = to.map((address) => ({ address }));
    const body = { to: recipients, sender: { address: sender }, ...rangeQuery(range) };
    await context.client.call("POST /report/_send", { body });
    answerDone(context, null, `sent to ${to.join(", ")}`);
  },
});

export const reportCommands = [report, sendReport];
