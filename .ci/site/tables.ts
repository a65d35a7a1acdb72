// Tables: in a frame that scrolls, with the alignment of columns said once, not in each cell.

/** Of a table: the style has rules for as many. */
const MAX_COLUMNS = 20;

/** Frames the tables of rendered Markdown. @throws Error where one has too many columns */
export function frameTables(html: string): string {
  return html.replace(/<table>[\s\S]*?<\/table>/g, (table) => {
    const head = table.slice(0, table.indexOf("</tr>"));
    const cells = head.split("<th").length - 1;
    if (cells > MAX_COLUMNS) throw new Error(`a table has ${cells} columns: at most ${MAX_COLUMNS}`);
    const columns = [...head.matchAll(/<th(?: align="(\w+)")?>/g)].flatMap(([, align], i) =>
      align === undefined ? [] : `${align}-${i + 1}`,
    );
    const marked = columns.length > 0 ? `<table class="${columns.join(" ")}">` : "<table>";
    const bare = table.replace(/<(t[hd]) align="\w+">/g, "<$1>").replace("<table>", marked);
    return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${bare}</div>`;
  });
}

/** Rules of style for aligned columns. */
export function renderAlignments(): string {
  return ["right", "center"]
    .map((align) => {
      const cells = Array.from(
        { length: MAX_COLUMNS },
        (_, i) => `.${align}-${i + 1} tr > :nth-child(${i + 1})`,
      );
      return `${cells.join(",\n")} {\n  text-align: ${align};\n}\n`;
    })
    .join("");
}
