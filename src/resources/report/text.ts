// Reports as plain text, for terminals and mails.
import type { Outline, Row } from "./outline.ts";

export function renderText({ title, notes, sections }: Outline): string {
  const parts = sections.map(({ title, lead, rows }) =>
    [title.toUpperCase(), lead, ...rows.flatMap(linesOf)].map(oneLine).join("\n"),
  );
  return `${[[title, ...notes].map(oneLine).join("\n"), ...parts].join("\n\n")}\n`;
}

function linesOf({ text, url, severity, details = [] }: Row): string[] {
  const below = url === undefined ? details : [...details, url];
  return [`- ${severity ? `${severity}: ` : ""}${text}`, ...below.map((line) => `  ${line}`)];
}

/** Names and messages may hold control characters, which terminals obey. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
