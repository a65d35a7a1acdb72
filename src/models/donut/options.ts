// Options of Donut's training and prediction, and their defaults.
import type { PredictOptions, TrainOptions } from "../../../wasm/protocol.ts";

export interface DonutOptions {
  readonly batchSize: number;
  /** Optimiser steps of the best trial; a search stops the others earlier. */
  readonly steps: number;
  /** Epochs over the training windows; overrides `steps`. */
  readonly epochs?: number;
  /** Samples of the latent per scored window. */
  readonly samples: number;
  /** MCMC iterations of the imputation. */
  readonly iterations: number;
  /** Floating-point operations of one task of an evaluation or forecast: bounds the wait of live windows. */
  readonly taskFlops: number;
}

export const donutDefaults: DonutOptions = {
  batchSize: 64,
  steps: 2000,
  samples: 16,
  iterations: 10,
  taskFlops: 5e8,
};

/** Share of the training range, at its end, for validation and calibration (30 % as in the paper). */
export const VALIDATION_SHARE = 0.3;

/** Seed of the noise in predictions: fixed for reproducible scores. */
const PREDICTION_SEED = 20180203;

/** The options of predictions, and their seed. */
export function predictOptions(options: DonutOptions): PredictOptions {
  return { samples: options.samples, iterations: options.iterations, seed: PREDICTION_SEED };
}

/** Optimiser steps in one epoch. */
export function stepsOfEpoch(batchSize: number, windows: number): number {
  return Math.max(1, Math.floor(windows / batchSize));
}

/** Optimiser steps of the warm-up, and their largest share of a short training. */
const WARM_UP = { steps: 100, share: 0.1 };

/**
 * The recipe of the paper (section 4.2 and its published code) except for the learning rate: higher, with a cosine decay,
 * which needs fewer steps than the paper's stairs.
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
