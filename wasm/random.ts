// Seeded random numbers, reproducible on every machine.
export interface Random {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** Integer in [0, n). */
  below(n: number): number;
}

/** sfc32 (Chris Doty-Humphrey, PractRand), seeded through splitmix-like mixing; normals by Marsaglia's polar method. */
export function createRandom(seed: number): Random {
  const mix = createMixer(seed);
  let [a, b, c, counter] = [mix(), mix(), mix(), 1];
  let spare: number | undefined;
  const next = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i++) next();
  const normal = (): number => {
    if (spare !== undefined) {
      const kept = spare;
      spare = undefined;
      return kept;
    }
    for (;;) {
      const u = 2 * next() - 1;
      const v = 2 * next() - 1;
      const s = u * u + v * v;
      if (s === 0 || s >= 1) continue;
      const factor = Math.sqrt((-2 * Math.log(s)) / s);
      spare = v * factor;
      return u * factor;
    }
  };
  return { uniform: next, normal, below: (n) => Math.floor(next() * n) };
}

function createMixer(seed: number): () => number {
  let state = Math.trunc(seed) | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) | 0;
  };
}

/** A permutation of 0..n-1 (Fisher-Yates). */
export function shuffle(n: number, random: Random): Int32Array {
  const order = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** `length` standard normals. */
export function normals(length: number, random: Random): Float32Array {
  const drawn = new Float32Array(length);
  for (let i = 0; i < length; i++) drawn[i] = random.normal();
  return drawn;
}
