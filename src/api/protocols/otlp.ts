// Schemas of OTLP over HTTP, in JSON; in protocol buffers the same messages.
import { Type } from "@sinclair/typebox";

export const OtlpAnswer = Type.Object(
  {
    partialSuccess: Type.Optional(
      Type.Object({
        rejectedDataPoints: Type.String({ description: "Number of points" }),
        errorMessage: Type.String({ description: "Why, and the way out" }),
      }),
    ),
  },
  { $id: "OtlpAnswer", description: "ExportMetricsServiceResponse" },
);

export const OtlpStatus = Type.Object(
  { message: Type.String({ description: "The problem, the rule and the remedy" }) },
  { $id: "OtlpStatus", description: "google.rpc.Status" },
);
