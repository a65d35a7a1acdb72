// Tool `report`: what happened in a range, as the plain text that mails have.
import { Type } from "@sinclair/typebox";
import { reportRange } from "../../resources/report/request.ts";
import { defineTool } from "../tool.ts";

export const report = defineTool({
  name: "report",
  title: "Report on a range",
  description:
    "What happened in the last seven days, or from..to: incidents, the worst first; alarms, how they were judged, and of " +
    "the range before; the noisiest models with a change of settings that would have spared their false alarms; bad " +
    "changes; sources and series without data; what runs full; error budgets. In words, by section.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object(reportRange, { additionalProperties: false }),
  run: async (given, { reports }) => {
    const { title, text } = await reports.render(given);
    return { summary: title, data: { text } };
  },
});
