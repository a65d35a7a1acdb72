// Suggestions for unknown words: the closest known one by edit distance.

/** The candidate closest to `word`; undefined if none is close enough for a typo: one slip in three letters. */
export function suggestClosest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.floor(word.length / 3) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.slice(0, 64).toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** The end of a sentence on an unknown word: `; did you mean ...?`; empty where no candidate is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = suggestClosest(word, candidates);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** Optimal string alignment: Levenshtein, with a swap of neighbours as one slip; row by row. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? before[j - 2]! + 1 : Infinity;
      row.push(Math.min(change, swap, previous[j]! + 1, row[j - 1]! + 1));
    }
    [before, previous] = [previous, row];
  }
  return previous[b.length]!;
}
