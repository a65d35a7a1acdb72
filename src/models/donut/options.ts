// Settings of Donut's training and prediction, with what they default to and why.
import type { PredictOptions, TrainOptions } from "../../../wasm/protocol.ts";

export interface DonutOptions {
  readonly batchSize: number;
  /** Optimiser steps of the best trial; a search stops the others earlier. As many as forecast like 4000 of the paper's own. */
  readonly steps: number;
  /** Passes over the training windows; overrides `steps`. */
  readonly epochs?: number;
  /** Monte-Carlo samples of the latent per scored window. */
  readonly samples: number;
  /** MCMC iterations of the imputation. */
  readonly iterations: number;
  /** Floating-point operations of one task of an evaluation or forecast: what live windows wait behind at most. */
  readonly taskFlops: number;
}

export const donutDefaults: DonutOptions = {
  batchSize: 64,
  steps: 2000,
  samples: 64,
  iterations: 10,
  // Some 50 ms of a core.
  taskFlops: 5e8,
};

/** Share of the training range, at its end, that watches for overfitting and calibrates the score (the paper's 30 %). */
export const VALIDATION_SHARE = 0.3;

/** Seed of the noise in predictions: fixed, so that equal windows score equally. */
const PREDICTION_SEED = 20180203;

/** What of the options predictions depend on, and their seed. */
export function predictOptions(options: DonutOptions): PredictOptions {
  return { samples: options.samples, iterations: options.iterations, seed: PREDICTION_SEED };
}

/** Optimiser steps in one pass over the training windows. */
export function stepsOfEpoch(batchSize: number, windows: number): number {
  return Math.max(1, Math.floor(windows / batchSize));
}

/** Optimiser steps until the learning rate is at its highest, and the share of a short training that they may be. */
const WARM_UP = { steps: 100, share: 0.1 };

/**
 * The paper's recipe (section 4.2 and its published code) but for the learning rate: a higher one that falls along a
 * cosine reaches in 2000 steps the validation loss that the paper's, falling in stairs, reaches in 4000.
 */
export function trainOptions(options: DonutOptions, windows: number, epochs = options.epochs): TrainOptions {
  const maxSteps = epochs === undefined ? options.steps : epochs * stepsOfEpoch(options.batchSize, windows);
  return {
    batchSize: options.batchSize,
    learningRate: 4e-3,
    warmUpSteps: Math.max(1, Math.min(WARM_UP.steps, Math.floor(WARM_UP.share * maxSteps))),
    scheduleSteps: maxSteps,
    clipNorm: 10,
    l2: 1e-3,
    injection: 0.01,
    hiddenTails: 0.15,
    maxSteps,
    validateEvery: Math.max(1, Math.floor(maxSteps / 40)),
    patience: 12,
  };
}
