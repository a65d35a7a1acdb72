// Reports as plain text, for terminals and mails.
import type { LinkTo, Outline, Row } from "./outline.ts";

export function renderText({ title, notes, sections }: Outline, linkTo: LinkTo): string {
  const parts = sections.map(({ title, lead, rows }) =>
    [title.toUpperCase(), lead, ...rows.flatMap((row) => linesOf(row, linkTo))].map(oneLine).join("\n"),
  );
  return `${[[title, ...notes].map(oneLine).join("\n"), ...parts].join("\n\n")}\n`;
}

function linesOf({ text, page, severity, details = [] }: Row, linkTo: LinkTo): string[] {
  const link = page === undefined ? undefined : linkTo(page);
  const below = link === undefined ? details : [...details, link];
  return [`- ${severity ? `${severity}: ` : ""}${text}`, ...below.map((line) => `  ${line}`)];
}

/** Names and messages may hold control characters, which terminals obey. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
