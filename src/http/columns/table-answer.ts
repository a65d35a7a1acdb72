// Answers in columns: negotiated by `Accept`, written piece by piece as the client reads.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { arrowPieces } from "../../core/formats/arrow-stream.ts";
import { csvPieces } from "../../core/formats/csv-writer.ts";
import { parseBoolean } from "../../core/input/value.ts";
import type { ColumnAnswer } from "../../resources/columns/columns.ts";
import { TableAnswer } from "../framework/answer.ts";
import { answerJob, type JobRequest } from "../framework/answer-job.ts";
import type { AppDeps } from "../framework/deps.ts";
import { preferredTable, type TableFormat, tableTypes } from "./accept.ts";

/** Schemas of the further answers of a route that answers columns, for `detail.media`. */
export const tableMedia = {
  [tableTypes.csv]: Type.String({ description: "RFC 4180, with a header line; null is an empty field" }),
  [tableTypes.arrow]: Type.String({
    format: "binary",
    description: "IPC stream; the metadata of its schema says where it comes from",
  }),
};

/**
 * Chooses the format of an answer, and tells caches that it depends on `Accept`.
 * @param set of the answer
 * @returns undefined for JSON
 */
export function chooseTable(
  { headers }: Request,
  { headers: answer }: { readonly headers: Record<string, unknown> },
): TableFormat | undefined {
  answer.vary = answer.vary ? `${answer.vary}, accept` : "accept";
  return preferredTable(headers.get("accept"));
}

/** Renders columns; pieces are made on demand. */
export function answerTable({ table, total, advice }: ColumnAnswer, format: TableFormat): TableAnswer {
  const pieces = format === "csv" ? csvPieces(table) : arrowPieces(table);
  const type = format === "csv" ? `${tableTypes.csv}; charset=utf-8; header=present` : tableTypes.arrow;
  return new TableAnswer(pieces, {
    "content-type": type,
    ...(total !== undefined && { "x-total-count": String(total) }),
    ...(advice !== undefined && { "x-torus-advice": advice }),
  });
}

/** A request for a job whose result has columns. */
interface TableRequest<Work extends { readonly jobId: string }> extends Omit<JobRequest, "inBackground"> {
  readonly format: TableFormat;
  readonly submit: (options: { readonly foreground: boolean }) => Promise<Work>;
  readonly columnsOf: (result: unknown, work: Work) => ColumnAnswer;
}

/**
 * Submits a job, waits for its result and answers its columns. In the background there are none: a stored result is
 * JSON, which would have to be held in memory as a whole to be converted.
 * @throws TorusError as `answerJob`; `invalid` with `bg=true`
 */
export async function answerJobTable<Work extends { readonly jobId: string }>(
  deps: Pick<AppDeps, "jobs" | "limits" | "holdOpen">,
  { format, columnsOf, submit, ...job }: TableRequest<Work>,
): Promise<TableAnswer> {
  const { bg = false } = job.params;
  if (parseBoolean(bg, "bg"))
    throw invalid(
      "bg",
      `must be false with Accept: ${tableTypes[format]}: columns are answered in the request`,
    );
  let work: Work | undefined;
  const keep = async (options: { readonly foreground: boolean }) => {
    work = await submit(options);
    return work;
  };
  const result = await answerJob(deps, { ...job, submit: keep });
  return answerTable(columnsOf(result, work!), format);
}
