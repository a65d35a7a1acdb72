// Schemas of the Azure AI Anomaly Detector: results of its univariate operations, and its errors.
import { Type } from "@sinclair/typebox";
import { oneOfWords } from "../../core/input/words.ts";
import { EntireDetection, LastDetection } from "../detection.ts";
import type { Shown } from "../shown.ts";

/** Codes of errors about the contents of a request. */
const errorCodes = [
  "BadArgument",
  "InvalidCustomInterval",
  "InvalidGranularity",
  "InvalidImputeFixedValue",
  "InvalidImputeMode",
  "InvalidJsonFormat",
  "InvalidModelArgument",
  "InvalidPeriod",
  "InvalidSeries",
  "RequiredGranularity",
  "RequiredSeries",
] as const;
export type AzureErrorCode = (typeof errorCodes)[number];

const message = Type.String({ description: "The problem, the rule and the remedy" });

export const AzureProblem = Type.Union(
  [
    Type.Object({ code: oneOfWords(errorCodes), message }),
    Type.Object({ error: Type.Object({ code: Type.String({ description: "The status" }), message }) }),
  ],
  {
    $id: "AzureProblem",
    description:
      "An error as the Azure AI Anomaly Detector answers it: about the contents of a request, its code in the header `x-ms-error-code` too; or any other",
  },
);

export const AzureEntireDetection = Type.Omit(EntireDetection, ["missing", "scores", "runs"], {
  $id: "AzureEntireDetection",
  description: "Every point",
});
export type AzureEntireView = Shown<typeof AzureEntireDetection>;

export const AzureLastDetection = Type.Omit(LastDetection, ["missing", "score", "run"], {
  $id: "AzureLastDetection",
  description: "The last point",
});
export type AzureLastView = Shown<typeof AzureLastDetection>;

export const AzureChangePoints = Type.Object(
  {
    period: EntireDetection.properties.period,
    isChangePoint: Type.Array(Type.Boolean(), { description: "One entry per point, as in all lists" }),
    confidenceScores: Type.Array(Type.Number(), {
      description: "0..1: that level or slope of the series change with the point",
    }),
  },
  { $id: "AzureChangePoints", description: "Points with which the trend changes" },
);
export type AzureChangePointsView = Shown<typeof AzureChangePoints>;
