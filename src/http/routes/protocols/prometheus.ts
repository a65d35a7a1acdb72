// Routes of Prometheus's HTTP API, to the extent that Grafana and other clients that query need them.
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import {
  PrometheusAlerts,
  PrometheusBuild,
  PrometheusExemplars,
  PrometheusMetadata,
  PrometheusProblem,
  PrometheusResult,
  PrometheusRules,
  PrometheusSeries,
  PrometheusText,
  PrometheusTexts,
  PrometheusTree,
} from "../../../api/protocols/prometheus.ts";
import { LANGUAGE_VERSION } from "../../../resources/promql/promql.ts";
import { LimitParameter } from "../../../resources/promql/request.ts";
import { streamPiecewise } from "../../framework/answer.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { query } from "../../framework/params.ts";

const tags = ["prometheus"];
const PATH = "/prometheus/api/v1";

const text = (description: string) => Type.Optional(Type.String({ description }));
const instant = (description: string) => text(`${description}: seconds since the epoch, or RFC 3339`);
const queryText = { query: Type.String({ description: "PromQL" }) };
const evaluation = {
  ...queryText,
  timeout: text("Longest time to evaluate, as `30s`; at most a minute"),
  lookback_delta: text("Age of the oldest sample that still is the value of a series; default: 5m"),
};
const ofInstant = { ...evaluation, time: instant("Time of evaluation, default: now") };
const ofRange = {
  ...evaluation,
  start: Type.String({ description: "First step: seconds since the epoch, or RFC 3339" }),
  end: Type.String({ description: "End, inclusive: seconds since the epoch, or RFC 3339" }),
  step: Type.String({ description: "Seconds, or a duration as `1m`; at most 11 000 points per series" }),
};
const ofExemplars = { ...queryText, start: instant("Start"), end: instant("End, inclusive") };
const ofLabels = {
  "match[]": text("Selector of series, repeated for several; a series that any of them matches counts"),
  start: instant("Only series with points from here"),
  end: instant("Only series with points up to here"),
  limit: Type.Optional(LimitParameter),
};
const ofMetadata = {
  metric: text("Only this metric"),
  limit: text("Most metrics of the answer"),
  limit_per_metric: text("Most entries of a metric, which buckets may describe differently"),
};
const FORM = documented<string>(
  Type.String({
    description: "The parameters as `application/x-www-form-urlencoded`, in place of the query",
  }),
);

type Handler = (params: URLSearchParams, signal: AbortSignal) => Promise<Iterator<string>> | Iterator<string>;

/** Parameters of the form and of the query; those of the form come first. */
function paramsOf({ url }: Request, body: unknown): URLSearchParams {
  const params = new URLSearchParams(typeof body === "string" ? body : "");
  for (const [name, value] of new URL(url).searchParams) params.append(name, value);
  return params;
}

function answer(pieces: Iterator<string>): Response {
  return new Response(streamPiecewise(pieces), { headers: { "content-type": "application/json" } });
}

/** Routes of Prometheus's HTTP API. */
export function createPrometheusRoutes({
  promql,
  node,
  holdOpen,
}: Pick<AppDeps, "promql" | "node" | "holdOpen">) {
  const respond = async (request: Request, body: unknown, handler: Handler) => {
    holdOpen(request);
    return answer(await handler(paramsOf(request, body), request.signal));
  };
  const build = { version: LANGUAGE_VERSION, revision: node.version };
  const unknown = { branch: "", buildUser: "", buildDate: "", goVersion: "" };
  return createInstance()
    .get(
      `${PATH}/query`,
      ({ request }) => respond(request, "", (params, signal) => promql.query(params, signal)),
      describe("Evaluate a query at an instant", ofInstant, PrometheusResult),
    )
    .post(
      `${PATH}/query`,
      ({ request, body }) => respond(request, body, (params, signal) => promql.query(params, signal)),
      describeForm("Evaluate a query at an instant, by a form", PrometheusResult),
    )
    .get(
      `${PATH}/query_range`,
      ({ request }) => respond(request, "", (params, signal) => promql.queryRange(params, signal)),
      describe("Evaluate a query at the steps of a range", ofRange, PrometheusResult),
    )
    .post(
      `${PATH}/query_range`,
      ({ request, body }) => respond(request, body, (params, signal) => promql.queryRange(params, signal)),
      describeForm("Evaluate a query at the steps of a range, by a form", PrometheusResult),
    )
    .get(
      `${PATH}/series`,
      ({ request }) => respond(request, "", (params, signal) => promql.series(params, signal)),
      describe("Find series by their labels", ofLabels, PrometheusSeries),
    )
    .post(
      `${PATH}/series`,
      ({ request, body }) => respond(request, body, (params, signal) => promql.series(params, signal)),
      describeForm("Find series by their labels, by a form", PrometheusSeries),
    )
    .get(
      `${PATH}/labels`,
      ({ request }) => respond(request, "", (params, signal) => promql.labels(params, signal)),
      describe("List names of labels", ofLabels, PrometheusTexts),
    )
    .post(
      `${PATH}/labels`,
      ({ request, body }) => respond(request, body, (params, signal) => promql.labels(params, signal)),
      describeForm("List names of labels, by a form", PrometheusTexts),
    )
    .get(
      `${PATH}/label/:name/values`,
      ({ request, params: { name } }) =>
        respond(request, "", (params, signal) => promql.labelValues(name, params, signal)),
      {
        ...describe("List values of a label", ofLabels, PrometheusTexts),
        params: documented<{ name: string }>(
          Type.Object({ name: Type.String({ description: "Name of the label" }) }),
        ),
      },
    )
    .get(
      `${PATH}/metadata`,
      ({ request }) => respond(request, "", (params, signal) => promql.metadata(params, signal)),
      describe("List type, help and unit of metrics", ofMetadata, PrometheusMetadata),
    )
    .get(
      `${PATH}/status/buildinfo`,
      () => ({ status: "success", data: { ...build, ...unknown } }),
      describe("Get the version whose rules queries follow", {}, PrometheusBuild),
    )
    .get(
      `${PATH}/format_query`,
      ({ request }) => respond(request, "", (params) => promql.formatQuery(params)),
      describe("Write a query in the usual spelling", queryText, PrometheusText),
    )
    .post(
      `${PATH}/format_query`,
      ({ request, body }) => respond(request, body, (params) => promql.formatQuery(params)),
      describeForm("Write a query in the usual spelling, by a form", PrometheusText),
    )
    .get(
      `${PATH}/parse_query`,
      ({ request }) => respond(request, "", (params) => promql.parseQuery(params)),
      describe("Parse a query into its tree", queryText, PrometheusTree),
    )
    .post(
      `${PATH}/parse_query`,
      ({ request, body }) => respond(request, body, (params) => promql.parseQuery(params)),
      describeForm("Parse a query into its tree, by a form", PrometheusTree),
    )
    .get(
      `${PATH}/query_exemplars`,
      ({ request }) => respond(request, "", (params) => promql.exemplars(params)),
      describe("List exemplars, of which there are none", ofExemplars, PrometheusExemplars),
    )
    .post(
      `${PATH}/query_exemplars`,
      ({ request, body }) => respond(request, body, (params) => promql.exemplars(params)),
      describeForm("List exemplars, of which there are none, by a form", PrometheusExemplars),
    )
    .get(
      `${PATH}/rules`,
      ({ request }) => respond(request, "", (params) => promql.rules(params)),
      describe("List rules, of which there are none", { type: text("`alert` or `record`") }, PrometheusRules),
    )
    .get(
      `${PATH}/alerts`,
      () => ({ status: "success", data: { alerts: [] } }),
      describe("List alerts of rules, of which there are none", {}, PrometheusAlerts),
    );
}

function describe(summary: string, properties: TProperties, schema: TSchema) {
  return {
    query: query(properties),
    response: documented(schema),
    detail: { scope: "read" as const, summary, problem: PrometheusProblem, tags },
  };
}

function describeForm(summary: string, schema: TSchema) {
  return { ...describe(summary, {}, schema), body: FORM };
}
