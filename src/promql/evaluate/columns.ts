// Sinks of columns: what takes the series of a selector, or of a function of ranges, one after the other.
import { dropName, type Labels } from "../labels.ts";
import { type Column, emptyColumn, isEmpty } from "./values.ts";

export interface ColumnSink {
  /** @returns a column without samples, to be filled and given to `add` before the next call */
  start(labels: Labels): Column;
  add(column: Column): void;
}

/** Keeps all columns with samples. */
export class ColumnList implements ColumnSink {
  readonly columns: Column[] = [];

  constructor(
    private readonly stepCount: number,
    private readonly dropsNames = false,
  ) {}

  start(labels: Labels): Column {
    return emptyColumn(this.dropsNames ? dropName(labels) : labels, this.stepCount);
  }

  add(column: Column): void {
    if (!isEmpty(column)) this.columns.push(column);
  }
}
