// Tool `explain_anomaly`: the numbers behind one anomaly, at its start and at its peak.
import { Type } from "@sinclair/typebox";
import type { AnomalyDetailView } from "../../api/anomaly.ts";
import type { ModelView } from "../../api/model.ts";
import { tellChange } from "../../core/changes/sentence.ts";
import { TorusError } from "../../core/errors.ts";
import { formatSpan } from "../../core/formats/readable.ts";
import { defineTool, type ToolContext } from "../tool.ts";
import { explainReports, lineOfAnomaly, showReports } from "../views/anomaly.ts";
import { isoOf, round, roundAll } from "../views/values.ts";

/** Notifications shown with an anomaly. */
const NOTIFICATIONS = 10;

export const explainAnomaly = defineTool({
  name: "explain_anomaly",
  title: "Explain an anomaly",
  description:
    "Why one anomaly was raised, per feature at its peak and, where it differs, at its start: observed and expected value, band of usual " +
    "values, score (0..100), rarity (one normal point in 10^rarity is this anomalous), the detectors that contributed, " +
    "whether it differs from its own past or from its peers, and the most similar earlier stretch; the changes (deployments and " +
    "the like) before it, with how often an anomaly followed those like them; severity, confidence, the thresholds of the model, feedback, and which hooks were notified.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: Type.Object(
    { id: Type.String({ minLength: 1, maxLength: 256, description: "Id of the anomaly" }) },
    { additionalProperties: false },
  ),
  run: async ({ id }, context) => {
    const anomaly = await context.anomalies.get(id);
    return {
      summary: [
        describeAnomaly(anomaly),
        ...tellChanges(anomaly),
        "At its peak:",
        ...explainReports(anomaly.peak),
      ].join(" "),
      data: { ...showAnomaly(anomaly), ...(await findThresholds(anomaly.model, context)) },
    };
  },
});

function describeAnomaly({ model, start, end, severity, peak_score: score }: AnomalyDetailView): string {
  const length = end === null ? "in progress" : `over after ${formatSpan((end - start) * 1000)}`;
  return `Anomaly of model ${model}, ${length}: severity ${severity}, peak score ${round(score)}.`;
}

/** A sentence about the likeliest change. */
function tellChanges({ changes: [likeliest] }: AnomalyDetailView): string[] {
  return likeliest ? [`It began ${tellChange({ ...likeliest, delayMs: likeliest.delay * 1000 })}.`] : [];
}

function showChange({ at, delay, ...change }: AnomalyDetailView["changes"][number]) {
  return { ...change, at: isoOf(at), seconds_before: round(delay) };
}

function showAnomaly(anomaly: AnomalyDetailView): Record<string, unknown> {
  const { features, peak, share, peak_rarity: rarity, confidence, closed_by: closed, feedback } = anomaly;
  const { features: _, feedback: __, ...line } = lineOfAnomaly(anomaly);
  return {
    ...line,
    origin: anomaly.origin,
    ...roundAll({ ...(share !== undefined && { share }), ...(rarity !== undefined && { rarity }) }),
    ...(confidence && { confidence }),
    ...(closed !== undefined && { closed_by: closed }),
    ...(anomaly.changes.length > 0 && { changes_before: anomaly.changes.map(showChange) }),
    at_peak: showReports(peak),
    ...(!Bun.deepEquals(features, peak) && { at_start: showReports(features) }),
    ...(feedback && { feedback: { anomaly: feedback.anomaly, note: feedback.note } }),
    ...showNotifications(anomaly),
  };
}

function showNotifications({ deliveries }: AnomalyDetailView) {
  const left = Math.max(0, deliveries.length - NOTIFICATIONS);
  const shown = deliveries.slice(0, NOTIFICATIONS).map(({ hook, event, state }) => ({ hook, event, state }));
  return { notifications: shown, ...(left > 0 && { notifications_left_out: left }) };
}

/** Effective thresholds of the model now; none where it was deleted or is untrained. */
async function findThresholds(model: string, { models }: ToolContext): Promise<object> {
  try {
    const [view] = (await models.get([model])).entries as [ModelView];
    const { thresholds } = view.state;
    return thresholds ? { thresholds_now: roundAll(thresholds) } : {};
  } catch (error) {
    if (error instanceof TorusError && error.code === "not_found") return {};
    throw error;
  }
}
