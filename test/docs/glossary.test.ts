// Glossary: sorted, each term in one sentence with a link, and used in the pages.
import { expect, test } from "bun:test";
import { listPages, readPage } from "./pages.ts";

const GLOSSARY = "docs/glossary.md";
const items = readPage(GLOSSARY).text.split("\n- **").slice(1);
const entries = items.map((item) => {
  const [term = "", sentence = ""] = item.replace(/\s+/g, " ").trim().split("**: ");
  return { term, sentence };
});
const others = listPages()
  .filter(({ path }) => path !== GLOSSARY)
  .map(({ text }) => text.toLowerCase().replace(/\s+/g, " "));

test("the terms are sorted, each once", () => {
  const terms = entries.map(({ term }) => term.toLowerCase());
  expect(terms.length).toBeGreaterThan(40);
  expect(terms).toEqual([...new Set(terms)].sort());
});

test.each(entries)("$term is one sentence with a link", ({ sentence }) => {
  expect(sentence).toMatch(/^\S.+ \(\[[^\]]+\]\([\w-]+\.md(#[\w-]+)?\)\)\.$/);
  expect(sentence).not.toMatch(/[.!?] [A-Z]/);
});

test.each(entries)("$term is a word of the pages", ({ term }) => {
  const words = term.toLowerCase();
  const isUsed = (text: string) => [words, words.replaceAll(" ", "_")].some((word) => text.includes(word));
  expect(others.some(isUsed)).toBe(true);
});
