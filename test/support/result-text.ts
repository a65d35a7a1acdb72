// Results of jobs as they are stored, for tests that end jobs by themselves.
import { jsonPieces } from "../../src/core/formats/json-pieces.ts";
import type { ResultText } from "../../src/store/jobs/results.ts";

/** JSON of a small result. */
export function resultText(value: unknown): ResultText {
  const pieces = [...jsonPieces(value)];
  return { pieces, bytes: Buffer.byteLength(pieces.join("")) };
}
