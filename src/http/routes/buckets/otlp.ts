// Route of OTLP: metrics that OpenTelemetry's SDKs and collectors export are pushed into a local bucket.
import { Type } from "@sinclair/typebox";
import { OtlpAnswer } from "../../../api/protocols/otlp.ts";
import { optional } from "../../../core/input/optional.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { otlpDialect, renderSuccess } from "../../framework/otlp-dialect.ts";
import { query } from "../../framework/params.ts";

const about =
  "Gauges and sums are points of the field that is named as the metric; histograms and summaries of `<name>_count`, " +
  "`_sum`, `_min`, `_max`, `_p50`, `_p90`, `_p95` and `_p99`. Attributes are tags, with those of the resource that " +
  "identify it. Answers are in the encoding of the request; points that cannot be stored are a partial success.";

/** Route of OTLP metrics. */
export function createOtlpRoutes({ otlp }: Pick<AppDeps, "otlp">) {
  return createInstance().post(
    "/v1/metrics",
    async ({ query, body, request }) => {
      const { bucket, resource_attributes: resourceAttributes } = query;
      return renderSuccess(
        request,
        await otlp.write({ bucket, body, resourceAttributes, signal: request.signal }),
      );
    },
    {
      query: query({
        bucket: Type.String({ description: "Name of the bucket; made where it is missing" }),
        resource_attributes: optional.text(
          "Attributes of resources that become tags, separated by `,`; by default those that identify a service, host or pod",
        ),
      }),
      body: documented<unknown>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: "ExportMetricsServiceRequest in protocol buffers, or in JSON",
          },
        ),
      ),
      response: { 200: OtlpAnswer },
      detail: {
        scope: "run",
        summary: "Write metrics, as OpenTelemetry exports them",
        description: about,
        idempotent: true,
        dialect: otlpDialect,
        tags: ["opentelemetry"],
      },
    },
  );
}
