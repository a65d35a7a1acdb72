// Spans as text, for tables of tests.

/** `"10-20 30-"`: from 10 to 20, and from 30 without an end. */
export function parseSpans(text: string): { fromAt: number; toAt: number | null }[] {
  const spans = [...text.matchAll(/(\d+)-(\d*)/g)];
  return spans.map(([, from, to]) => ({ fromAt: Number(from), toAt: to ? Number(to) : null }));
}

/** The same where every span has an end. */
export function parseRanges(text: string): { fromAt: number; toAt: number }[] {
  return parseSpans(text).map(({ fromAt, toAt }) => ({ fromAt, toAt: toAt! }));
}
