// Routes of the Azure AI Anomaly Detector: its univariate operations, for clients of that service.
import type { TSchema } from "@sinclair/typebox";
import { AzureChangePoints, AzureEntireDetection, AzureLastDetection } from "../../../api/protocols/azure.ts";
import { TorusError } from "../../../core/errors.ts";
import { AzureChangePointBody, AzureDetectBody } from "../../../resources/detections/azure-request.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { pathParams } from "../../framework/params.ts";
import { azureDialect } from "./azure-dialect.ts";

const PATH = "/anomalydetector/:version/timeseries";
/** Of its API; univariate operations are the same in all. */
const versions = ["v1.0", "v1.1-preview", "v1.1-preview.1", "v1.1"];
const aboutMargins =
  "A point outside `expected - lower margin` to `expected + upper margin` is an anomaly; clients widen the margins by the factor `100 - marginScale`, which is 1 at 99.";
const aboutChanges =
  "A change is confirmed by the points on either side of it: the first and the last `stableTrendWindow` points are none.";

type Method = "detectEntire" | "detectLast" | "detectChangePoints";

/** Routes of the univariate operations. */
export function createAzureRoutes({ azureDetections }: Pick<AppDeps, "azureDetections">) {
  const answer =
    (method: Method) =>
    ({ params, body, request }: { params: { version: string }; body: unknown; request: Request }) => {
      checkVersion(params.version);
      return azureDetections[method](body, request.signal);
    };
  const changePoints = describe("Find change points, as the Azure AI Anomaly Detector does", {
    body: AzureChangePointBody,
    response: AzureChangePoints,
    description: aboutChanges,
  });
  return createInstance()
    .post(
      `${PATH}/entire/detect`,
      answer("detectEntire"),
      describe("Detect anomalies in all points, as the Azure AI Anomaly Detector does", {
        body: AzureDetectBody,
        response: AzureEntireDetection,
        description: aboutMargins,
      }),
    )
    .post(
      `${PATH}/last/detect`,
      answer("detectLast"),
      describe("Detect whether the last point is an anomaly, as the Azure AI Anomaly Detector does", {
        body: AzureDetectBody,
        response: AzureLastDetection,
        description: aboutMargins,
      }),
    )
    .post(`${PATH}/changepoint/detect`, answer("detectChangePoints"), changePoints)
    .post(`${PATH}/changePoint/detect`, answer("detectChangePoints"), {
      ...changePoints,
      // Older clients write the path so; the service takes either.
      detail: { ...changePoints.detail, hide: true },
    });
}

/** @throws TorusError `not_found` */
function checkVersion(version: string): void {
  if (versions.includes(version)) return;
  throw new TorusError("not_found", `the version of the API must be one of ${versions.join(", ")}`);
}

interface Operation {
  readonly body: TSchema;
  readonly response: TSchema;
  readonly description: string;
}

function describe(summary: string, { body, response, description }: Operation) {
  return {
    params: pathParams({ version: `Version of the API: ${versions.join(", ")}` }),
    body: documented(body),
    response: documented(response),
    detail: {
      scope: "read" as const,
      summary,
      description,
      idempotent: true,
      dialect: azureDialect,
      tags: ["points"],
    },
  };
}
