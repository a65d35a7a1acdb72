// Search of the documentation: words and beginnings of words, headings first, an excerpt around what was found.
import { expect, test } from "bun:test";
import { type Section, search } from "../../.ci/site/client/search.ts";
import { readChapters } from "../../.ci/site/documents.ts";
import { listSections } from "../../.ci/site/sections.ts";

const all = readChapters().flatMap(({ documents }) => documents.flatMap(listSections));
const first = (query: string) => search(all, query)[0]?.section.address;

test.each([
  ["calendars", /#calendars$/],
  ["Mail", /#mail$/],
  ["global hook", /#global-hooks$/],
  ["assist", /^assistants\.html/],
  ["error budget", /^budgets\.html/],
  ["remote write", /^receiving\.html/],
])("%s leads to %s", (query, address) => {
  expect(first(query)).toMatch(address);
});

const section = (over: Partial<Section>): Section => ({
  page: "P",
  heading: "H",
  address: "p.html#h",
  text: "",
  ...over,
});

test("a title and a heading count more than the text, a whole word more than a beginning", () => {
  const sections = [
    section({ address: "begun", text: "scoring" }),
    section({ address: "text", text: "the score" }),
    section({ address: "page", page: "Score" }),
    section({ address: "heading", heading: "Score" }),
  ];
  const found = search(sections, "score").map((hit) => hit.section.address);
  expect(found).toEqual(["heading", "page", "text"]);
  expect(search(sections, "scor").map((hit) => hit.section.address)).toContain("begun");
});

test("every word must be there, at the beginning of a word", () => {
  const sections = [section({ text: "group_by makes a fleet" })];
  expect(search(sections, "fleet by")).toHaveLength(1);
  expect(search(sections, "fleet host")).toEqual([]);
  expect(search(sections, "leet")).toEqual([]);
});

test.each(["", "  ", "()[]*", "a.*b("])("%j is no pattern", (query) => {
  expect(search([section({ text: "plain" })], query)).toEqual([]);
});

test("the excerpt stands around the word", () => {
  const text = `${"before ".repeat(60)}needle${" after".repeat(60)}`;
  const [hit] = search([section({ text })], "needle");
  expect(hit!.excerpt).toMatch(/^\.\.\. before .*needle after.* \.\.\.$/);
  expect(hit!.excerpt.length).toBeLessThan(180);
});
