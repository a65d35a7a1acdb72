// Job `prediction`: evaluates known data with a trained version, and scores them.
import { viewLevelShift } from "../../api/level-shift.ts";
import type { PredictionView } from "../../api/prediction.ts";
import { viewUnits } from "../../metrics/units.ts";
import { detectInSteps, rulesOf } from "../../models/scoring/detect.ts";
import { startScoresOf } from "../../models/scoring/start-scores.ts";
import { savePrediction } from "../../points/save.ts";
import type { Handler, HandlerContext, HandlerDeps } from "../queue/handler.ts";
import type { PredictJob } from "../queue/input.ts";
import { type EvaluatedRange, evaluateRange } from "./evaluate-range.ts";
import { loadKnownEvents } from "./feedback.ts";
import { predictPage } from "./fleet/predict-page.ts";
import { listLiveEpisodes } from "./live-episodes.ts";
import { viewPredictionInSteps } from "./result.ts";

/**
 * Makes the handler. It throws TorusError `no_data` if the range holds no points, `not_found` for a deleted version,
 * `bucket_*` if reading or saving fails, `canceled`.
 */
export function predictHandler(deps: HandlerDeps): Handler<"prediction"> {
  return async ({ input }, context) => ({
    result: await predictPage(deps.store, { input, context }, (one, own) => predict(deps, one, own)),
  });
}

async function predict(
  deps: HandlerDeps,
  input: PredictJob,
  context: HandlerContext,
): Promise<PredictionView> {
  const { signal } = context;
  const { settings, model, series } = input;
  const evaluated = await evaluateRange(deps, input, context);
  const { evaluation, observed } = evaluated;
  const shown = await viewPredictionInSteps(evaluation, observed, signal);
  const judged = input.detectAnomalies && (await judge(deps, input, { ...evaluated, signal }));
  const view: PredictionView = { ...shown, ...viewUnits(settings), ...judged };
  const { features } = settings;
  const saved = { model, features, series, prediction: evaluation, observed, stats: view.stats };
  if (input.save) await savePrediction(deps.openBucket, { ...saved, target: input.save }, signal);
  if (!input.record) return view;
  const { record } = input;
  const subject = { model, ...(series && { series }) };
  const past = { ...subject, settings, evaluation, observed, origin: "evaluation", ...record } as const;
  return { ...view, recorded: await deps.recordPast(past, signal) };
}

/** What detection says about an evaluated range. */
async function judge(
  { store }: Pick<HandlerDeps, "store">,
  { model, settings, series }: PredictJob,
  { evaluation, observed, range, recorded, signal }: EvaluatedRange & { readonly signal: AbortSignal },
): Promise<Pick<PredictionView, "stats" | "level_shifts" | "live" | "live_scores">> {
  const rules = rulesOf(settings);
  const known = await loadKnownEvents(store, { settings }, range);
  const startScores = await startScoresOf(evaluation, observed, { guards: rules.guards, known, signal });
  const stats = await detectInSteps(evaluation.scores, evaluation.grid, { rules, startScores, signal });
  const live = await listLiveEpisodes(store, { model, settings, range, ...(series && { series }) });
  const shifts = (evaluation.levelShifts ?? []).filter(({ at }) => at >= range.fromAt).map(viewLevelShift);
  return {
    stats,
    ...(shifts.length > 0 && { level_shifts: shifts }),
    ...(live.length > 0 && { live }),
    ...(recorded.length > 0 && {
      live_scores: recorded.map(({ fromAt, toAt }) => ({ from: fromAt / 1000, to: toAt / 1000 })),
    }),
  };
}
