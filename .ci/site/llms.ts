// Pages for language models (llmstxt.org): llms.txt lists them, llms-full.txt holds their text.
import type { Chapter, Document } from "./documents.ts";

/** Heading, summary, and a list of links by chapter. */
export function renderList(chapters: readonly Chapter[]): string {
  const home = chapters[0]!.documents[0]!;
  const lists = chapters.map(({ title, documents }) => {
    const items = documents.map((page) => `- [${page.title}](${page.name}): ${page.summary}`);
    return `## ${title}\n\n${items.join("\n")}\n`;
  });
  return [
    `# ${home.title}\n`,
    `> ${home.summary}\n`,
    "All pages as one text: [llms-full.txt](llms-full.txt)\n",
    ...lists,
  ].join("\n");
}

/** Text of all pages in Markdown, each after the name of its file. */
export function renderFullText(documents: readonly Document[]): string {
  return documents.map(({ name, text }) => `File: ${name}\n\n${text.trim()}\n`).join("\n---\n\n");
}
