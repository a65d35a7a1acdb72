// Routes of Prometheus's HTTP API, to the extent that Grafana and other clients that query need them.
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import {
  PrometheusAlerts,
  PrometheusBuild,
  PrometheusExemplars,
  PrometheusMetadata,
  PrometheusResult,
  PrometheusRules,
  PrometheusSeries,
  PrometheusText,
  PrometheusTexts,
  PrometheusTree,
} from "../../../api/protocols/prometheus.ts";
import { optional } from "../../../core/input/optional.ts";
import { LANGUAGE_VERSION } from "../../../resources/promql/promql.ts";
import { LimitParameter } from "../../../resources/promql/request.ts";
import { streamPiecewise } from "../../framework/answer.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { pathParams, query } from "../../framework/params.ts";
import { prometheusDialect } from "../../framework/prometheus-dialect.ts";

const tags = ["prometheus"];
const PATH = "/prometheus/api/v1";
const instant = (description: string) =>
  optional.text(`${description}: seconds since the epoch, or RFC 3339`);
const queryText = { query: Type.String({ description: "PromQL" }) };
const evaluation = {
  ...queryText,
  timeout: optional.text("Longest time to evaluate, as `30s`; at most a minute"),
  lookback_delta: optional.text("Age of the oldest sample that still is the value of a series; default: 5m"),
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
  "match[]": optional.text(
    "Selector of series, repeated for several; a series that any of them matches counts",
  ),
  start: instant("Only series with points from here"),
  end: instant("Only series with points up to here"),
  limit: Type.Optional(LimitParameter),
};
const ofMetadata = {
  metric: optional.text("Only this metric"),
  limit: optional.text("Most metrics of the answer"),
  limit_per_metric: optional.text("Most entries of a metric, which buckets may describe differently"),
};
const ofRules = { type: optional.text("`alert` or `record`") };
const unknownBuild = { branch: "", buildUser: "", buildDate: "", goVersion: "" };
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

/** Queries that a form may send too, by the end of their path. */
const queries = {
  query: {
    method: "query",
    schema: describe("Evaluate a query at an instant", ofInstant, PrometheusResult),
  },
  query_range: {
    method: "queryRange",
    schema: describe("Evaluate a query at the steps of a range", ofRange, PrometheusResult),
  },
  series: { method: "series", schema: describe("Find series by their labels", ofLabels, PrometheusSeries) },
  labels: { method: "labels", schema: describe("List names of labels", ofLabels, PrometheusTexts) },
  format_query: {
    method: "formatQuery",
    schema: describe("Write a query in the usual spelling", queryText, PrometheusText),
  },
  parse_query: {
    method: "parseQuery",
    schema: describe("Parse a query into its tree", queryText, PrometheusTree),
  },
  query_exemplars: {
    method: "exemplars",
    schema: describe("List exemplars, of which there are none", ofExemplars, PrometheusExemplars),
  },
} as const;

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
  const createQueryRoutes = (name: keyof typeof queries) => {
    const { method, schema } = queries[name];
    const path: string = `${PATH}/${name}`;
    const handler: Handler = (params, signal) => promql[method](params, signal);
    return createInstance()
      .get(path, ({ request }) => respond(request, "", handler), schema)
      .post(path, ({ request, body }) => respond(request, body, handler), byForm(schema));
  };
  const build = { ...unknownBuild, version: LANGUAGE_VERSION, revision: node.version };
  return createInstance()
    .use(createQueryRoutes("query"))
    .use(createQueryRoutes("query_range"))
    .use(createQueryRoutes("series"))
    .use(createQueryRoutes("labels"))
    .get(
      `${PATH}/label/:name/values`,
      ({ request, params: { name } }) =>
        respond(request, "", (params, signal) => promql.labelValues(name, params, signal)),
      {
        ...describe("List values of a label", ofLabels, PrometheusTexts),
        params: pathParams({ name: "Name of the label" }),
      },
    )
    .get(
      `${PATH}/metadata`,
      ({ request }) => respond(request, "", (params, signal) => promql.metadata(params, signal)),
      describe("List type, help and unit of metrics", ofMetadata, PrometheusMetadata),
    )
    .get(
      `${PATH}/status/buildinfo`,
      () => ({ status: "success", data: build }),
      describe("Get the version whose rules queries follow", {}, PrometheusBuild),
    )
    .use(createQueryRoutes("format_query"))
    .use(createQueryRoutes("parse_query"))
    .use(createQueryRoutes("query_exemplars"))
    .get(
      `${PATH}/rules`,
      ({ request }) => respond(request, "", (params) => promql.rules(params)),
      describe("List rules, of which there are none", ofRules, PrometheusRules),
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
    detail: { scope: "read" as const, summary, dialect: prometheusDialect, tags },
  };
}

function byForm({ detail, ...schema }: ReturnType<typeof describe>) {
  const summary = `${detail.summary}, by a form`;
  return { ...schema, query: query({}), body: FORM, detail: { ...detail, summary, idempotent: true } };
}
