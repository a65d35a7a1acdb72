// Pages of judgement links: a question, and a form whose button gives the judgement.
import { Type } from "@sinclair/typebox";
import type { JudgementAction } from "../../../core/access/judgement-link.ts";
import type { TorusError } from "../../../core/errors.ts";
import { type JudgementView, MUTE_HOURS } from "../../../resources/judgements/index.ts";
import type { AppDeps } from "../../framework/deps.ts";
import type { Dialect } from "../../framework/dialect.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { statusOf } from "../../framework/errors.ts";
import { jsonDialect } from "../../framework/json-dialect.ts";

/** No scripts, nothing from elsewhere; the form goes to this server alone. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const STYLE =
  "h1{font-size:1.15rem}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1rem;color:#1b2430;background:#fff}" +
  "button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#0b5cad;color:#fff;cursor:pointer}" +
  "@media(prefers-color-scheme:dark){body{color:#e6e9ee;background:#14181f}button{background:#7db7f5;color:#14181f}}";

const questions: Readonly<Record<JudgementAction, string>> = {
  real: "Yes, it was an anomaly",
  noise: "No, it was noise",
  mute: `Mute for ${MUTE_HOURS} h`,
};
const answers: Readonly<Record<JudgementAction, string>> = {
  real: "Noted: it was an anomaly. The next training leaves it out.",
  noise: "Noted: it was noise. The next training learns to tolerate it.",
  mute: `Muted for ${MUTE_HOURS} h. Detection goes on.`,
};

/** Forms of browsers have no JSON; errors are pages. */
const pageDialect: Dialect = {
  ...jsonDialect,
  folder: "/judge/",
  checkBody: () => {},
  parseBody: async () => null,
  renderError: (error) => page(statusOf(error.code), [paragraph(messageOf(error))]),
};
const params = documented<{ link: string }>(
  Type.Object({ link: Type.String({ maxLength: 256, description: "The signed text of a link" }) }),
);
const detail = { scope: "open", hide: true, dialect: pageDialect } as const;

/** Routes of judgement links, open to who holds one. */
export function createJudgementRoutes({ judgements }: Pick<AppDeps, "judgements">) {
  return createInstance()
    .get("/judge/:link", async ({ params: { link } }) => ask(await judgements.show(link)), { params, detail })
    .post("/judge/:link", async ({ params: { link } }) => confirm(await judgements.apply(link)), {
      params,
      detail,
    });
}

function ask(view: JudgementView): Response {
  const button = `<form method="post"><button>${questions[view.action]}</button></form>`;
  return page(200, [...subjectOf(view), button]);
}

function confirm(view: JudgementView): Response {
  return page(200, [...subjectOf(view), paragraph(answers[view.action])]);
}

function subjectOf({ summary, model, series, since }: JudgementView): string[] {
  const place = `Anomaly of ${model}${series ? ` (${series})` : ""} since ${since}`;
  return [`<h1>${Bun.escapeHTML(summary)}</h1>`, paragraph(place)];
}

function messageOf({ code, message }: TorusError): string {
  if (code === "internal") return "This did not work; the log of the server says why.";
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function page(status: number, parts: readonly string[]): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Torus</title><style>${STYLE}</style><main>${parts.join("")}</main></html>`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  };
  return new Response(html, { status, headers });
}

function paragraph(text: string): string {
  return `<p>${Bun.escapeHTML(text)}</p>`;
}
