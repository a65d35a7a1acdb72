// Markdown to HTML: headings with GitHub's anchors, tables and code that scroll in themselves, links of the site.
import { frameTables } from "./tables.ts";
import type { Targets } from "./targets.ts";

export interface Heading {
  readonly level: number;
  readonly anchor: string;
  /** Plain text. */
  readonly text: string;
}

export interface Body {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** What Markdown is made into, and line breaks of tables; any other element is a name in angle brackets not quoted. */
const elements = new Set(
  "h1 h2 h3 h4 h5 h6 p a img em strong del code pre ul ol li blockquote hr br table thead tbody tr th td".split(
    " ",
  ),
);

/** @throws Error naming an element that is not Markdown's, or a link without a target */
export function renderMarkdown(text: string, targets: Targets): Body {
  const { html, headings } = addAnchors(Bun.markdown.html(text));
  return { html: frameTables(rewrite(html, targets)), headings };
}

function addAnchors(html: string): Body {
  const headings: Heading[] = [];
  const counts = new Map<string, number>();
  const anchored = html.replace(/<h([1-6])>(.*?)<\/h\1>/g, (_all, level: string, content: string) => {
    const text = toPlainText(content);
    const slug = slugOf(text);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    const anchor = count === 0 ? slug : `${slug}-${count}`;
    headings.push({ level: Number(level), anchor, text });
    return `<h${level} id="${anchor}">${content}</h${level}>`;
  });
  return { html: anchored, headings };
}

/** Anchor of a heading as GitHub makes it, without the number that tells equal ones apart. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

/** Text of HTML, without its elements. */
export function toPlainText(html: string): string {
  return html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

function rewrite(html: string, targets: Targets): string {
  const wrong: string[] = [];
  const rewriter = new HTMLRewriter()
    .onDocument({ comments: (comment) => void comment.remove() })
    .on("*", { element: ({ tagName }) => void (elements.has(tagName) || wrong.push(`<${tagName}>`)) })
    .on("a", {
      element: (link) => void (rewriteLink(link, targets) || wrong.push(link.getAttribute("href")!)),
    })
    .on("img", {
      element: (image) => {
        const path = targets.find(image.getAttribute("src")!);
        if (path === undefined) wrong.push(image.getAttribute("src")!);
        else image.setAttribute("src", path).setAttribute("loading", "lazy");
      },
    })
    .on("pre", { element: (code) => void code.setAttribute("tabindex", "0") });
  const rewritten = rewriter.transform(html);
  if (wrong.length > 0)
    throw new Error(`no element of Markdown, or no target: ${[...new Set(wrong)].join(", ")}`);
  return rewritten;
}

/** @returns whether the link has a target; one to a file of the repository is its text alone */
function rewriteLink(link: HTMLRewriterTypes.Element, targets: Targets): boolean {
  const href = link.getAttribute("href")!;
  const target = targets.find(href);
  if (target !== undefined) link.setAttribute("href", target);
  else if (targets.isFile(href)) link.removeAndKeepContent();
  else return false;
  return true;
}
