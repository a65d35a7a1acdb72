// Search of the documentation: sections that hold every word of a query, or a word that begins so; best first.

export interface Section {
  /** Title of the page. */
  readonly page: string;
  /** The title of the page for what stands before its first section. */
  readonly heading: string;
  /** File and anchor. */
  readonly address: string;
  readonly text: string;
}

export interface Hit {
  readonly section: Section;
  /** Part of the text around the first word found. */
  readonly excerpt: string;
}

/** Evidence of a word by where it stands; a whole word counts twice, and more in a short heading than in a long one. */
const weights = { page: 4, heading: 6, text: 1 } as const;
const EXCERPT = 160;
const MAX_HITS = 12;
const MAX_WORDS = 8;

/** @returns the best sections; none for a query without words */
export function search(sections: readonly Section[], query: string): Hit[] {
  const words =
    query
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
      ?.slice(0, MAX_WORDS) ?? [];
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }));
}

/** 0 where a word is missing. */
function scoreOf(section: Section, words: readonly string[]): number {
  let sum = 0;
  for (const word of words) {
    const score = (Object.keys(weights) as (keyof typeof weights)[])
      .map((part) => weights[part] * weigh(section[part].toLowerCase(), word))
      .reduce((a, b) => a + b);
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

/** 2 for the word itself, 1 for words that begin so, 0 for none; and as much again for the share of the text it is. */
function weigh(text: string, word: string): number {
  let best = 0;
  for (let at = findStart(text, word, 0); at >= 0 && best < 2; at = findStart(text, word, at + 1))
    best = isInWord(text[at + word.length]) ? 1 : 2;
  return best === 0 ? 0 : best * (1 + word.length / text.length);
}

/** Where a word begins with this text, from a position on; -1 where none does. */
function findStart(text: string, word: string, from: number): number {
  let at = text.indexOf(word, from);
  while (at > 0 && isInWord(text[at - 1])) at = text.indexOf(word, at + 1);
  return at;
}

function isInWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => findStart(text.toLowerCase(), word, 0)).filter((at) => at >= 0);
  const found = Math.min(text.length, ...places);
  const near = Math.max(0, (found === text.length ? 0 : found) - EXCERPT / 4);
  const start = near === 0 ? 0 : text.indexOf(" ", near) + 1;
  const end = start + EXCERPT;
  return `${start > 0 ? "... " : ""}${text.slice(start, end)}${end < text.length ? " ..." : ""}`;
}
