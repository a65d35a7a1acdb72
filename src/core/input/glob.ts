// Globs over letters: `*` is any text, and a wildcard of the caller's choice any one letter.

/**
 * Whether a glob matches the whole of a text. It takes back only the last star: the time grows as the product of both
 * lengths, where a regular expression with many stars would take exponential time.
 * @param any stands for any one letter; undefined: every letter but `*` stands for itself
 */
export function matchesGlob(glob: readonly string[], text: readonly string[], any?: string): boolean {
  let star = -1;
  let resume = 0;
  let at = 0;
  let i = 0;
  while (i < text.length) {
    if (glob[at] === "*") {
      star = at++;
      resume = i;
    } else if (at < glob.length && (glob[at] === any || glob[at] === text[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}
