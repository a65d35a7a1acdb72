// Examples of Prometheus's HTTP API.
import { type ApiExample, version } from "./shared.ts";

const FORM = "application/x-www-form-urlencoded";
const metric = { __name__: "cpu_load", bucket: "metrics", host: "a" };
const success = (data: unknown) => ({ status: "success", data });

const instant = success({ resultType: "vector", result: [{ metric, value: [1769860800, "0.42"] }] });
const range = success({
  resultType: "matrix",
  result: [
    {
      metric,
      values: [
        [1769860800, "0.42"],
        [1769860860, "0.44"],
      ],
    },
  ],
});
const series = success([metric]);
const labels = success(["__name__", "bucket", "host"]);
const formatted = success("sum by (host) (cpu_load)");
const tree = success({
  type: "vectorSelector",
  name: "cpu_load",
  matchers: [{ type: "=", name: "__name__", value: "cpu_load" }],
  offset: 0,
  timestamp: null,
  startOrEnd: null,
});

const PATH = "/prometheus/api/v1";

export const prometheusExamples: Readonly<Record<string, ApiExample>> = {
  "POST /api/v1/write": { id: "writePrometheus", accepts: "application/x-protobuf" },
  "POST /v1/metrics": {
    id: "writeOpenTelemetry",
    request: {
      resourceMetrics: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
          scopeMetrics: [
            {
              metrics: [
                {
                  name: "queue.length",
                  gauge: { dataPoints: [{ timeUnixNano: "1769860800000000000", asInt: "12" }] },
                },
              ],
            },
          ],
        },
      ],
    },
    response: {},
  },
  [`GET ${PATH}/query`]: { id: "queryPrometheus", response: instant },
  [`POST ${PATH}/query`]: {
    id: "queryPrometheusByForm",
    accepts: FORM,
    request: "query=cpu_load",
    response: instant,
  },
  [`GET ${PATH}/query_range`]: { id: "queryPrometheusRange", response: range },
  [`POST ${PATH}/query_range`]: {
    id: "queryPrometheusRangeByForm",
    accepts: FORM,
    request: "query=cpu_load&start=1769860800&end=1769860860&step=60",
    response: range,
  },
  [`GET ${PATH}/series`]: { id: "listPrometheusSeries", response: series },
  [`POST ${PATH}/series`]: {
    id: "listPrometheusSeriesByForm",
    accepts: FORM,
    request: "match[]=cpu_load",
    response: series,
  },
  [`GET ${PATH}/labels`]: { id: "listPrometheusLabels", response: labels },
  [`POST ${PATH}/labels`]: {
    id: "listPrometheusLabelsByForm",
    accepts: FORM,
    request: "match[]=cpu_load",
    response: labels,
  },
  [`GET ${PATH}/label/:name/values`]: { id: "listPrometheusLabelValues", response: success(["metrics"]) },
  [`GET ${PATH}/metadata`]: {
    id: "getPrometheusMetadata",
    response: success({
      torus_score: [{ type: "gauge", help: "Score of the feature in the interval, 0 to 100", unit: "" }],
    }),
  },
  [`GET ${PATH}/status/buildinfo`]: {
    id: "getPrometheusBuild",
    response: success({
      version: "2.42.0",
      revision: version,
      branch: "",
      buildUser: "",
      buildDate: "",
      goVersion: "",
    }),
  },
  [`GET ${PATH}/format_query`]: { id: "formatPrometheusQuery", response: formatted },
  [`POST ${PATH}/format_query`]: {
    id: "formatPrometheusQueryByForm",
    accepts: FORM,
    request: "query=sum(cpu_load)by(host)",
    response: formatted,
  },
  [`GET ${PATH}/parse_query`]: { id: "parsePrometheusQuery", response: tree },
  [`POST ${PATH}/parse_query`]: {
    id: "parsePrometheusQueryByForm",
    accepts: FORM,
    request: "query=cpu_load",
    response: tree,
  },
  [`GET ${PATH}/query_exemplars`]: { id: "listPrometheusExemplars", response: success([]) },
  [`POST ${PATH}/query_exemplars`]: {
    id: "listPrometheusExemplarsByForm",
    accepts: FORM,
    request: "query=cpu_load",
    response: success([]),
  },
  [`GET ${PATH}/rules`]: { id: "listPrometheusRules", response: success({ groups: [] }) },
  [`GET ${PATH}/alerts`]: { id: "listPrometheusAlerts", response: success({ alerts: [] }) },
};
