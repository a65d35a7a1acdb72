// Sanitises text of other software for messages: one short line without control characters and secrets.

const MAX_LENGTH = 300;

/** One line without control characters, secrets replaced by `***`, truncated. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    if (secret !== "") shown = shown.replace(patternOf(secret), "***");
  }
  shown = shown.replace(/\p{C}+/gu, " ").trim();
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}...` : shown;
}

/** A very short secret is replaced as a whole word only; elsewhere it would match every text. */
function patternOf(secret: string): RegExp {
  const literal = RegExp.escape(secret);
  return new RegExp(secret.length < 4 ? `(?<!\\w)${literal}(?!\\w)` : literal, "gi");
}
