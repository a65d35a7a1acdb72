// Documents of the site: README.md, docs/*.md and CHANGELOG.md, in chapters.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Body, renderMarkdown, toPlainText } from "./markdown.ts";
import { nameOf, targetsOf } from "./targets.ts";

export const root = resolve(import.meta.dir, "../..");

export interface Document {
  /** From the root of the repository. */
  readonly path: string;
  /** File of the page in the site. */
  readonly name: string;
  /** Its heading. */
  readonly title: string;
  /** First sentence, as plain text. */
  readonly summary: string;
  /** Markdown, without the comments that tests and generators read. */
  readonly text: string;
  readonly body: Body;
}

export interface Chapter {
  readonly title: string;
  readonly documents: readonly Document[];
}

/** Pages of docs/ by chapter, in the order of the list of pages. */
const chapters: Readonly<Record<string, string>> = {
  Start: "README getting-started glossary",
  Detection: "choosing detection causes fleets fleets-migration",
  Watching: "watching presets hooks quiet-times changes capacity budgets report",
  Data: "receiving promql notebooks",
  Users: "dashboard clients assistants",
  Operations: "operations deployment security promises speed",
  "Coming from": "coming-from migrating azure-anomaly-detector",
  Reference: "reference settings bucket-kinds",
  Project: "architecture contributing CHANGELOG",
};

/** @throws Error naming the document that cannot be rendered, and why */
export function readChapters(): Chapter[] {
  return Object.entries(chapters).map(([title, names]) => ({
    title,
    documents: names
      .split(" ")
      .map((name) => readDocument(/^[A-Z]/.test(name) ? `${name}.md` : `docs/${name}.md`)),
  }));
}

function readDocument(path: string): Document {
  const text = removeComments(readFileSync(join(root, path), "utf8"));
  try {
    const body = renderMarkdown(text, targetsOf(path, root));
    const [, paragraph = ""] = /<p>(?!<img)([\s\S]*?)<\/p>/.exec(body.html) ?? [];
    return {
      path,
      name: nameOf(path)!,
      title: body.headings.find(({ level }) => level === 1)!.text,
      summary: firstSentence(toPlainText(paragraph)),
      text,
      body,
    };
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
}

/** Without those in lines of their own; blocks of code have none. */
function removeComments(text: string): string {
  return text.replace(/^<!-- .* -->\n/gm, "");
}

function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return /^.*?[.:](?= [A-Z[`]|$)/.exec(line)?.[0].replace(/:$/, ".") ?? line;
}
