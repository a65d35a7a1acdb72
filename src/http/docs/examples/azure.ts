// Examples of the operations of the Azure AI Anomaly Detector.
import type { ApiExample } from "./shared.ts";

const series = Array.from({ length: 12 }, (_, i) => ({
  timestamp: `2026-01-${String(i + 1).padStart(2, "0")}T00:00:00Z`,
  value: 32 + (i % 3),
}));
const PATH = "POST /anomalydetector/:version/timeseries";

export const azureExamples: Readonly<Record<string, ApiExample>> = {
  [`${PATH}/entire/detect`]: {
    id: "detectAzureEntire",
    request: { series, granularity: "daily", sensitivity: 95, maxAnomalyRatio: 0.25 },
    response: {
      period: 0,
      expectedValues: [32.1],
      upperMargins: [4.2],
      lowerMargins: [4.2],
      isAnomaly: [false],
      isPositiveAnomaly: [false],
      isNegativeAnomaly: [false],
      severity: [0],
    },
  },
  [`${PATH}/last/detect`]: {
    id: "detectAzureLast",
    request: { series, granularity: "daily", sensitivity: 95 },
    response: {
      period: 0,
      suggestedWindow: 100,
      expectedValue: 32.1,
      upperMargin: 4.2,
      lowerMargin: 4.2,
      isAnomaly: false,
      isPositiveAnomaly: false,
      isNegativeAnomaly: false,
      severity: 0,
    },
  },
  [`${PATH}/changepoint/detect`]: {
    id: "detectAzureChangePoints",
    request: { series, granularity: "daily", stableTrendWindow: 5, threshold: 0.9 },
    response: { period: 0, isChangePoint: [false], confidenceScores: [0] },
  },
};
