// Header X-Torus-Advice: sentences on what a request sets that has no effect as things are, though it succeeded.
import { Answer } from "./answer.ts";

/** Characters of the header: clients limit the length of headers. */
const MAX_LENGTH = 2000;

/** The answer with advice, if there is any. Characters that headers cannot hold are escaped, as in `\u{e9}`. */
export function withAdvice({ status, body, headers }: Answer, advice: readonly string[]): Answer {
  if (advice.length === 0) return new Answer(status, body, headers);
  const escapeLetter = (letter: string) => `\\u{${letter.codePointAt(0)!.toString(16)}}`;
  const text = advice
    .join("; ")
    .slice(0, MAX_LENGTH)
    .replaceAll(/[^\x20-\x7e]/gu, escapeLetter);
  return new Answer(status, body, { ...headers, "x-torus-advice": text });
}
