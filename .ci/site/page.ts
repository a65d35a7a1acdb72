// Page of the site: head, search, table of contents, text, and the list of all pages.
import pack from "../../package.json" with { type: "json" };
import type { Chapter, Document } from "./documents.ts";
import type { Heading } from "./markdown.ts";

/** Nothing from other hosts, no inline code; `file:` for pages that are opened from a folder. */
const POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src"].map((kind) => `${kind} 'self' file:`),
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
/** Fewer headings need no table of contents. */
const MIN_CONTENTS = 3;

export function renderPage(document: Document, chapters: readonly Chapter[]): string {
  const { title, summary, body, name } = document;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeText(summary)}">
<title>${escapeText(name === "index.html" ? title : `${title} - Torus`)}</title>
<link rel="stylesheet" href="style.css">
<script defer src="search.js"></script>
</head>
<body>
<header>
<a class="home" href="index.html">Torus <span>${escapeText(pack.version)}</span></a>
<a class="to-pages" href="#pages">All pages</a>
<div class="search" role="search" hidden>
<label for="query">Search the documentation</label>
<input id="query" type="search" autocomplete="off" placeholder="Search ( / )" aria-controls="results">
<p id="found" role="status" aria-live="polite"></p>
<ol id="results" class="results" hidden></ol>
</div>
</header>
<div class="columns">
<main>
${body.html.replace("</h1>", () => `</h1>\n${renderContents(body.headings)}`)}</main>
<nav id="pages" class="pages" aria-label="Pages">
${chapters.map((chapter) => renderChapter(chapter, name)).join("\n")}
</nav>
</div>
</body>
</html>
`;
}

function renderContents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < MIN_CONTENTS) return "";
  const items = shown.map(
    ({ level, anchor, text }) =>
      `<li class="level-${level}"><a href="#${anchor}">${escapeText(text)}</a></li>`,
  );
  return `<nav class="toc" aria-label="On this page">\n<ul>\n${items.join("\n")}\n</ul>\n</nav>`;
}

function renderChapter({ title, documents }: Chapter, current: string): string {
  const items = documents.map(({ name, title: page }) => {
    const mark = name === current ? ' aria-current="page"' : "";
    return `<li><a href="${name}"${mark}>${escapeText(page)}</a></li>`;
  });
  return `<h2>${escapeText(title)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

function escapeText(text: string): string {
  return Bun.escapeHTML(text);
}
