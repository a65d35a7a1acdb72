// Sections that the search finds: the text under each heading of a document.
import type { Section } from "./client/search.ts";
import type { Document } from "./documents.ts";
import { toPlainText } from "./markdown.ts";

/** Sections of a page in its order, from its heading on. */
export function listSections({ name, title, body }: Document): Section[] {
  const parts = body.html.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>/).slice(1);
  return body.headings.map(({ anchor, text, level }, i) => ({
    page: title,
    heading: text,
    address: level === 1 ? name : `${name}#${anchor}`,
    text: toPlainText(parts[i]!.replace(/<\/(?:t[dh]|li|p|pre)>/g, " "))
      .replace(/\s+/g, " ")
      .trim(),
  }));
}
