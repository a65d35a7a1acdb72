// Dialect of the Azure AI Anomaly Detector: a token as its key, JSON bodies of points, errors as it answers them.
import { type AzureErrorCode, AzureProblem } from "../../../api/protocols/azure.ts";
import type { TorusError } from "../../../core/errors.ts";
import type { Dialect } from "../../framework/dialect.ts";
import { type ProblemContext, problemHeaders, statusOf } from "../../framework/errors.ts";
import { jsonDialect, limitsOfPoints, parseBody } from "../../framework/json-dialect.ts";

const FOLDER = "/anomalydetector/";
/** Operations of the service without a counterpart. */
const multivariate = /^\/anomalydetector\/[^/]+\/multivariate(\/|$)/;

export const azureDialect: Dialect = {
  ...jsonDialect,
  folder: FOLDER,
  problem: AzureProblem,
  keyHeader: "Ocp-Apim-Subscription-Key",
  parseBody: (request, limits, take) =>
    parseBody(request, { bytes: limits.bodyBytes, ...limitsOfPoints(limits) }, take),
  renderError,
};

/** Codes by the first step of the path that an error names; of points see `codeOfPoint`. */
const codes: Readonly<Record<string, AzureErrorCode>> = {
  body: "InvalidJsonFormat",
  customInterval: "InvalidCustomInterval",
  granularity: "InvalidGranularity",
  imputeFixedValue: "InvalidImputeFixedValue",
  imputeMode: "InvalidImputeMode",
  maxAnomalyRatio: "InvalidModelArgument",
  period: "InvalidPeriod",
  sensitivity: "InvalidModelArgument",
  stableTrendWindow: "InvalidModelArgument",
  threshold: "InvalidModelArgument",
};

/** The code of an error about the contents of a request; undefined for other errors. */
function codeOf({ code, details }: TorusError): AzureErrorCode | undefined {
  const [field = "", point, key] = (details.path ?? "").split(".");
  const isAboutSeries = field === "series" && (code === "too_little_data" || code === "too_large");
  if (code !== "invalid" && !isAboutSeries) return undefined;
  if (details.error_code !== undefined) return details.error_code as AzureErrorCode;
  return field === "series" ? codeOfPoint(point, key) : (codes[field] ?? "BadArgument");
}

/** A point that is malformed is a bad argument; times that do not fit each other make the series invalid. */
function codeOfPoint(point: string | undefined, key: string | undefined): AzureErrorCode {
  return point === undefined || key === "timestamp" ? "InvalidSeries" : "BadArgument";
}

/** `{code, message}` about the contents, `{error: {code, message}}` as the gateway of the service has it for the rest. */
function renderError(error: TorusError, context: ProblemContext): Response {
  const code = codeOf(error);
  const status = code ? 400 : statusOf(error.code);
  const message = textOf(error, context.path);
  const headers = problemHeaders(error, context, "application/json");
  if (code) headers.set("x-ms-error-code", code);
  const problem = code ? { code, message } : { error: { code: String(status), message } };
  return new Response(context.method === "HEAD" ? null : JSON.stringify(problem), { status, headers });
}

/** The text of a bug is left out. */
function textOf({ code, message }: TorusError, path: string): string {
  if (code === "internal") return "internal error; the log has the details under this request id";
  if (code !== "not_found" || !multivariate.test(path)) return message;
  return "there is no multivariate detection here, but timeseries/entire/detect, timeseries/last/detect and timeseries/changepoint/detect; a model with several features detects across series";
}
