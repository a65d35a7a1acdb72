// Tables of lists: a row per entry; on phones a card per entry with the title of the column before each value.
import type { ComponentChildren } from "preact";

interface TableProps {
  /** In the order of the cells; the one of the row's head names the card and is not repeated in it. */
  readonly titles: readonly string[];
  /** Rows. */
  readonly children: ComponentChildren;
}

export function Table({ titles, children }: TableProps) {
  // Styles read a title as the content before a cell.
  const labels = Object.fromEntries(titles.map((title, i) => [`--title-${i + 1}`, JSON.stringify(title)]));
  return (
    <table class="cards" style={labels}>
      <TableHead titles={titles} />
      <tbody>{children}</tbody>
    </table>
  );
}

/** In place of a value; cards leave out a cell that holds nothing else. */
export function NoValue() {
  return <span class="quiet none">–</span>;
}

/** Head of a table: one cell per column. */
export function TableHead({ titles }: { titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
