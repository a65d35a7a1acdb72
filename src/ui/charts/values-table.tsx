// Table of the values of a chart, at some of its times where there are many.
import { TableHead } from "../parts/table.tsx";
import { moments, texts } from "../state/preferences.ts";

const MAX_ROWS = 500;

interface ValuesProps {
  readonly times: readonly number[];
  /** Titles, and the text of a cell by its index. */
  readonly columns: readonly (readonly [title: string, textAt: (index: number) => string])[];
}

export function ValuesTable({ times, columns }: ValuesProps) {
  const { table, time } = texts.value;
  const every = Math.max(1, Math.ceil(times.length / MAX_ROWS));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
    <section class="scroll" tabIndex={0} aria-label={table}>
      <table>
        <TableHead titles={[time, ...columns.map(([title]) => title)]} />
        <tbody>
          {times.map(
            (at, i) =>
              i % every === 0 && (
                <tr key={at}>
                  <th scope="row">{moments.value.whole(at)}</th>
                  {columns.map(([title, textAt]) => (
                    <td key={title}>{textAt(i)}</td>
                  ))}
                </tr>
              ),
          )}
        </tbody>
      </table>
    </section>
  );
}
