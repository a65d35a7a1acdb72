// Command `torus report`: what happened in a range, as text or as a page.
import type { ReportView } from "../../../api/server/report.ts";
import { defineCommand } from "../../command/command.ts";
import { openRangeOptions, rangeQuery } from "../../command/options.ts";

export const report = defineCommand({
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
