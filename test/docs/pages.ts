// The documents and their code blocks, with the comments that control how each is run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dir, "../..");
const PAGES = "docs";

/** A document by its path from the root of the repository. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

export interface Block {
  /** Of the fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Why it is not run: `<!-- not run: REASON -->` above it. */
  readonly notRun?: string;
  /** Programs it needs: `<!-- needs: a b -->` above it. */
  readonly needs: readonly string[];
  /** What it prints: a block with `<!-- prints -->` above it, after this one. */
  readonly prints?: string;
}

/** README.md first, then the pages by name. */
export function listPages(): Page[] {
  const names = readdirSync(join(root, PAGES)).filter((name) => name.endsWith(".md"));
  return ["README.md", ...names.sort().map((name) => `${PAGES}/${name}`)].map(readPage);
}

/** Pages that go together: one goes on where the other has ended, on the same server. */
const sequels: Readonly<Record<string, string>> = {
  [`${PAGES}/choosing.md`]: "README.md",
  [`${PAGES}/hooks.md`]: `${PAGES}/getting-started.md`,
  [`${PAGES}/quiet-times.md`]: `${PAGES}/getting-started.md`,
  [`${PAGES}/watching.md`]: `${PAGES}/getting-started.md`,
};

/** The pages with commands, sequels with what they go on from. */
export function listChapters(): { readonly title: string; readonly pages: readonly Page[] }[] {
  const pages = listPages().filter(({ text }) => readCommands(text).length > 0);
  return pages
    .filter(({ path }) => !(path in sequels))
    .map((page) => ({
      title: page.path,
      pages: [page, ...pages.filter(({ path }) => sequels[path] === page.path)],
    }));
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(root, path), "utf8") };
}

const fence = /((?:<!-- .* -->\n)*)```(\w*)\n([\s\S]*?)\n?```$/gm;

/** Every block of code, in order; what one prints belongs to the block before it. */
export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const { index, 0: all, 1: comments = "", 2: language = "", 3: code = "" } of text.matchAll(fence)) {
    if (comments.includes("<!-- prints -->")) {
      const command = blocks.pop();
      if (!command) throw new Error("nothing stands before the first block that is printed");
      blocks.push({ ...command, prints: code });
      continue;
    }
    const notRun = /<!-- not run: (.+) -->/.exec(comments)?.[1];
    const needs = /<!-- needs: (.+) -->/.exec(comments)?.[1]?.split(" ") ?? [];
    const line = text.slice(0, index + all.indexOf("```")).split("\n").length;
    blocks.push({ line, language, text: code, needs, ...(notRun !== undefined && { notRun }) });
  }
  return blocks;
}

/** The commands among the blocks, programs in Python included. */
export function readCommands(text: string): Block[] {
  return readBlocks(text).filter(({ language }) => language === "sh" || language === "python");
}

/** The text with what a block prints in its place. */
export function showOutput(text: string, block: Block, output: string): string {
  const after = text.indexOf(`\`\`\`sh\n${block.text}\n`);
  const start = text.indexOf("<!-- prints -->\n", after);
  const end = text.indexOf("\n```\n", start);
  return `${text.slice(0, start)}<!-- prints -->\n\`\`\`text\n${output}${text.slice(end)}`;
}
