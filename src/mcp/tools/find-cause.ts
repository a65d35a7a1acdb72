// Tool `find_cause`: what else deviated beside an anomaly, ranked by how probably it is the cause.
import { Type } from "@sinclair/typebox";
import type { RelatedSeriesView } from "../../api/related.ts";
import { defineTool } from "../tool.ts";

const MAX_RELATED = 10;

export const findCause = defineTool({
  name: "find_cause",
  title: "Find the cause of an anomaly",
  description:
    "What else moved around an anomaly, the most probable cause first: other live models and series that began to " +
    "deviate at that time and whose deviation chance does not explain, with reasons in words, when each began to " +
    "change, tags in common and a confidence (0..1). An empty list means that nothing else moved unusually.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object(
    { id: Type.String({ minLength: 1, maxLength: 256, description: "Id of the anomaly" }) },
    { additionalProperties: false },
  ),
  run: async ({ id }, { related }) => {
    const {
      summary,
      watched,
      moved,
      anomaly,
      common,
      related: found,
    } = await related.ofAnomaly(id, {
      limit: MAX_RELATED,
    });
    return {
      summary,
      data: {
        ...{ watched, moved },
        ...(anomaly && { moved_first_itself: anomaly.confidence }),
        ...(common && { common }),
        related: found.map(showSeries),
      },
    };
  },
});

function showSeries({ model, series, feature, type, onset, ...rest }: RelatedSeriesView) {
  const { lead, confidence, reasons, anomaly } = rest;
  return {
    ...{ model, ...(series && { series }), feature, type },
    onset: new Date(onset * 1000).toISOString(),
    ...(lead !== undefined && { seconds_before: lead }),
    ...{ confidence, reasons, ...(anomaly && { anomaly }) },
  };
}
