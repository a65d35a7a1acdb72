// Latent samples: their moments, and how well averages over them are.
import { describe, expect, test } from "bun:test";
import { drawLatents } from "../../../wasm/donut/latent-samples.ts";
import { createRandom, normals } from "../../../wasm/random.ts";

const latent = 8;
const seeds = Array.from({ length: 50 }, (_, seed) => seed);

/** Mean of a function over vectors [latent, samples]. */
function average(drawn: Float32Array, f: (vector: number[]) => number): number {
  const samples = drawn.length / latent;
  const vectors = Array.from({ length: samples }, (_, s) =>
    Array.from({ length: latent }, (_, k) => drawn[k * samples + s]!),
  );
  return vectors.reduce((sum, vector) => sum + f(vector), 0) / samples;
}

describe("latent samples", () => {
  test.each([2 * latent, 4 * latent])("%d have mean 0 and the identity as covariance", (samples) => {
    const drawn = drawLatents(latent, samples, createRandom(1));
    for (let a = 0; a < latent; a++) {
      expect(average(drawn, (z) => z[a]!)).toBeCloseTo(0, 5);
      for (let b = 0; b < latent; b++)
        expect(average(drawn, (z) => z[a]! * z[b]!)).toBeCloseTo(a === b ? 1 : 0, 5);
    }
  });

  test.each([1, 3, 16, 37])("%d of any number of dimensions are as long as the dimensions say", (samples) => {
    for (const dimensions of [1, 3, 12]) {
      const drawn = drawLatents(dimensions, samples, createRandom(2));
      expect(drawn.length).toBe(dimensions * samples);
      for (let s = 0; s < samples; s++) {
        const vector = Array.from({ length: dimensions }, (_, k) => drawn[k * samples + s]!);
        expect(Math.hypot(...vector)).toBeCloseTo(Math.sqrt(dimensions), 4);
      }
    }
  });

  test("a smooth function is averaged better by 16 than by 64 independent ones", () => {
    // E[exp(a·z)] = exp(|a|²/2)
    const weights = Array.from({ length: latent }, (_, k) => 0.15 * Math.sin(k + 1));
    const smooth = (z: number[]) => Math.exp(z.reduce((sum, value, k) => sum + value * weights[k]!, 0));
    const exact = Math.exp(weights.reduce((sum, weight) => sum + weight ** 2, 0) / 2);
    const error = (draw: (seed: number) => Float32Array) =>
      Math.sqrt(
        seeds.reduce((sum, seed) => sum + (average(draw(seed), smooth) - exact) ** 2, 0) / seeds.length,
      );
    const paired = error((seed) => drawLatents(latent, 16, createRandom(seed)));
    const independent = error((seed) => normals(latent * 64, createRandom(seed)));
    expect(paired).toBeLessThan(independent / 3);
  });
});
