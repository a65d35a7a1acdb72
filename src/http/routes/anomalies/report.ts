// Routes of reports: what happened in a range, as JSON, as a page, as plain text, or by mail.
import { Type } from "@sinclair/typebox";
import { Report } from "../../../api/server/report.ts";
import { formatParameter, parseFormat, ReportMail, reportRange } from "../../../resources/report/request.ts";
import { accepts } from "../../columns/accept.ts";
import { noContent, TableAnswer } from "../../framework/answer.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { NoContent } from "../../framework/noun-routes.ts";
import { commonQuery, query } from "../../framework/params.ts";

const tags = ["live detection"];
/** No scripts, nothing from elsewhere. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const media = {
  "text/html": Type.String({ description: "A page of one file without scripts" }),
  "text/plain": Type.String({ description: "The same in lines, with `format=text`" }),
};

/** Routes of reports. */
export function createReportRoutes({ reports }: Pick<AppDeps, "reports">) {
  return createInstance()
    .get(
      "/report",
      async ({ query, request, set }) => {
        const { vary } = set.headers;
        set.headers.vary = vary ? `${vary}, accept` : "accept";
        const isPage = accepts(request.headers.get("accept"), "text/html");
        const format = parseFormat(query) ?? (isPage ? "html" : "json");
        if (format === "json") return reports.read(query);
        const { html, text } = await reports.render(query);
        return format === "html" ? answerText(html, "text/html") : answerText(text, "text/plain");
      },
      {
        query: query({ ...commonQuery, ...reportRange, ...formatParameter }),
        response: documented(Report),
        detail: {
          scope: "read",
          summary: "Get what happened in a range",
          description:
            "Incidents, alarms and how they were judged, the noisiest models with a change of settings that was tried on " +
            "their alarms, what is silent now, changes that incidents followed, and what runs full.",
          media,
          tags,
        },
      },
    )
    .post("/report/_send", ({ body }) => reports.send(body).then(noContent), {
      body: documented(ReportMail),
      response: NoContent,
      detail: {
        scope: "admin",
        summary: "Send a report by mail",
        description:
          "As a page and as plain text, through the mail server of the settings; a scheduled job can call it.",
        tags,
      },
    });
}

function answerText(text: string, type: keyof typeof media): TableAnswer {
  return new TableAnswer([text].values(), {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": POLICY,
    "cache-control": "no-store",
  });
}
