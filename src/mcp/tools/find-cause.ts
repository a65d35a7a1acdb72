// Tool `find_cause`: what deviated beside an anomaly, or in a range, ranked by how probably it is the cause.
import { Type } from "@sinclair/typebox";
import type { RelatedSeriesView } from "../../api/related.ts";
import { date } from "../../api/shown.ts";
import { invalid } from "../../core/errors.ts";
import { relatedRange } from "../../resources/related/request.ts";
import { defineTool } from "../tool.ts";

const MAX_RELATED = 10;
const LAST_HOUR = "now-1h";

export const findCause = defineTool({
  name: "find_cause",
  title: "Find the cause of an anomaly",
  description:
    "What else moved around an anomaly (id), or together in a range (from, to, tags), the most probable cause first: " +
    "live models and series that began to deviate then and whose deviation chance does not explain, with reasons in " +
    "words, when each began to change, tags in common and a confidence (0..1). An empty list means that nothing else " +
    "moved unusually.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object(
    {
      id: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: "Id of the anomaly" })),
      ...relatedRange,
      from: date("Start of the range in which they began to deviate, without an id; default: an hour ago"),
    },
    { additionalProperties: false },
  ),
  run: async ({ id, ...range }, { related }) => {
    const ofRange = Object.keys(range)[0];
    if (id !== undefined && ofRange !== undefined)
      throw invalid(ofRange, "is of a range: leave it out, or the id of the anomaly");
    const view = await (id === undefined
      ? related.inRange({ from: LAST_HOUR, ...range, limit: MAX_RELATED })
      : related.ofAnomaly(id, { limit: MAX_RELATED }));
    const { summary, watched, moved, anomaly, common, related: found } = view;
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
