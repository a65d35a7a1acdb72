// Reports as a page of one file: no script, nothing from elsewhere, light and dark, for screens, mails and paper.
import type { ReportView } from "../../api/server/report.ts";
import type { Outline, Row, Section } from "./outline.ts";

const STYLE =
  ":root{color-scheme:light dark}" +
  "body{font:.95rem/1.45 system-ui,sans-serif;max-width:46rem;margin:1.5rem auto;padding:0 1rem;color:#1b2430;background:#fff;overflow-wrap:anywhere}" +
  "h1{font-size:1.3rem}h2{font-size:1.05rem;margin:1.2rem 0 .2rem;break-after:avoid}p{margin:.2rem 0}" +
  "ul{margin:.3rem 0;padding:0;list-style:none}li{margin:.35rem 0;padding-left:.6rem;border-left:.25rem solid #c3cbd6;break-inside:avoid}" +
  "li.warning{border-color:#c77700}li.critical{border-color:#c22f2f}" +
  "a{color:inherit}small{display:block;color:#55606f}" +
  "svg{display:block;margin:.4rem 0;fill:#0b5cad}" +
  "@media(prefers-color-scheme:dark){body{color:#e6e9ee;background:#14181f}small{color:#a3adba}li{border-color:#485261}svg{fill:#7db7f5}}" +
  "@media print{body{font-size:9pt;line-height:1.3;max-width:none;margin:0;color:#000;background:#fff}h2{margin:.6rem 0 0}li{margin:.15rem 0}small{color:#333}}" +
  "@page{margin:14mm}";

const BAR = { width: 8, step: 10, height: 40 } as const;

export function renderHtml(
  { title, notes, sections }: Outline,
  { alarms }: Pick<ReportView, "alarms">,
): string {
  const parts = sections.map(
    (section, i) => `${renderSection(section)}${i === 1 ? renderDays(alarms.days) : ""}`,
  );
  const body = [`<h1>${escapeText(title)}</h1>`, ...notes.map(paragraph), ...parts].join("\n");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeText(title)}</title><style>${STYLE}</style></head><body><main>\n${body}\n</main></body></html>\n`;
}

function renderSection({ title, lead, rows }: Section): string {
  const list = rows.length > 0 ? `<ul>\n${rows.map(renderRow).join("\n")}\n</ul>` : "";
  return `<h2>${escapeText(title)}</h2>${paragraph(lead)}${list}`;
}

function renderRow({ text, url, severity, details = [] }: Row): string {
  const mark = severity ? ` class="${severity}"` : "";
  const level = severity ? `${severity}: ` : "";
  const said = escapeText(level + text);
  const linked = url === undefined ? said : `<a href="${escapeText(url)}">${said}</a>`;
  return `<li${mark}>${linked}${details.map((detail) => `<small>${escapeText(detail)}</small>`).join("")}</li>`;
}

/** A bar per day, of a pixel where there was none, and between which days they stand; nothing without alarms. */
function renderDays(days: ReportView["alarms"]["days"]): string {
  const totals = days.map(({ total }) => total);
  const most = Math.max(0, ...totals);
  if (most === 0) return "";
  const bars = totals.map((total, i) => {
    const height = Math.max(1, Math.round((BAR.height * total) / most));
    return `<rect x="${i * BAR.step}" y="${BAR.height - height}" width="${BAR.width}" height="${height}"/>`;
  });
  const width = days.length * BAR.step;
  const label = `Alarms by day, UTC, oldest first: ${totals.join(", ")}`;
  const range = `by day (UTC), ${dayOf(days[0]!.at)} to ${dayOf(days.at(-1)!.at)}; at most ${most}`;
  return `<svg role="img" aria-label="${label}" width="${width}" height="${BAR.height}" viewBox="0 0 ${width} ${BAR.height}">${bars.join("")}</svg><small>${range}</small>`;
}

/** @param at seconds since the epoch */
function dayOf(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 10);
}

function paragraph(text: string): string {
  return `<p>${escapeText(text)}</p>`;
}

function escapeText(text: string): string {
  return Bun.escapeHTML(text);
}
