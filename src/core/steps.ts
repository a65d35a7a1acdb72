// Generators that pause between their steps, run to the end at once; pure.

/** Runs a generator to its end. */
export function finish<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
