// Model kind `donut`: the variational auto-encoder of arXiv 1802.03903.
import type { ModelKind } from "../kind.ts";
import { answerAbsent } from "./absent-network.ts";
import { evaluateBatch } from "./batch/batch.ts";
import { checkVersion } from "./check.ts";
import { evaluateDonut, historyOf } from "./evaluate.ts";
import { exportNetwork } from "./export.ts";
import { createFleet } from "./fleet/index.ts";
import { forecastDonut, forecastHistoryOf } from "./forecast.ts";
import { type DonutOptions, donutDefaults } from "./options.ts";
import { trainDonut } from "./train.ts";
import { tryVersion } from "./try-version.ts";

export type { DonutOptions } from "./options.ts";

/** The kind; missing options default to `donutDefaults`. */
export function createDonut(options: Partial<DonutOptions> = {}): ModelKind {
  const all = { ...donutDefaults, ...options };
  return {
    fleet: createFleet(all),
    historyOf,
    forecastHistoryOf,
    train: (input, context) => trainDonut(input, all, context),
    evaluate: (model, input, context) =>
      (input.batch ? evaluateBatch : evaluateDonut)(model, input, {
        options: all,
        context: answerAbsent(context),
      }),
    forecast: (model, input, context) =>
      forecastDonut(model, input, { options: all, context: answerAbsent(context) }),
    exportNetwork: (model, input) => exportNetwork(model, input, all),
    checkVersion,
    tryVersion: (version, context) => tryVersion(version, { options: all, context: answerAbsent(context) }),
  };
}

/** Optimiser steps of a training within a request. */
const QUICK_STEPS = 1500;

/** A kind whose trainings are short enough for a request to wait for them. */
export function createQuickTrainer({
  epochs: _,
  steps = QUICK_STEPS,
  ...rest
}: Partial<DonutOptions> = {}): ModelKind {
  return createDonut({ ...rest, steps: Math.min(steps, QUICK_STEPS) });
}
