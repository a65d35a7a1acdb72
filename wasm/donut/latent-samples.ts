// Latent samples of predictions: standard normal vectors in antithetic pairs along orthogonal directions.
import { normals, type Random } from "../random.ts";

/** Least length of what is left of a drawn vector: a shorter one says nothing of its direction. */
const MIN_LENGTH = 1e-3;

/**
 * Draws samples of a standard normal of `latent` dimensions: each direction and its opposite, at the root mean square
 * distance, orthogonal to the earlier ones until all dimensions are used; then anew. Their mean is 0 and, in whole
 * rounds, their covariance the identity, so that averages over a smooth decoder need far fewer of them than of independent
 * ones (spherical-radial cubature of degree 3; antithetic and orthogonal sampling).
 * @returns [latent, samples], row by row
 */
export function drawLatents(latent: number, samples: number, random: Random): Float32Array {
  const drawn = new Float32Array(latent * samples);
  const distance = Math.sqrt(latent);
  let used: Float32Array[] = [];
  for (let sample = 0; sample < samples; sample += 2) {
    if (used.length === latent) used = [];
    const direction = drawDirection(latent, used, random);
    used.push(direction);
    for (const [k, value] of direction.entries()) {
      drawn[k * samples + sample] = value * distance;
      if (sample + 1 < samples) drawn[k * samples + sample + 1] = -value * distance;
    }
  }
  return drawn;
}

/** A random direction orthogonal to others, which leave at least one dimension. */
function drawDirection(latent: number, others: readonly Float32Array[], random: Random): Float32Array {
  for (;;) {
    const direction = normals(latent, random);
    for (const other of others) {
      const share = other.reduce((sum, value, k) => sum + value * direction[k]!, 0);
      for (const [k, value] of other.entries()) direction[k]! -= share * value;
    }
    const length = Math.hypot(...direction);
    if (length >= MIN_LENGTH) return direction.map((value) => value / length);
  }
}
