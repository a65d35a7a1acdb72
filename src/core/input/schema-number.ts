// Number by its published schema: kind and bounds. Apart from the other values, which client commands load, too.
import { Kind, type TSchema } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { findErrors } from "./schema.ts";
import { parseInteger, parseNumber } from "./value.ts";

/** As `parseInteger` or `parseNumber`, within the bounds of a schema. @throws TorusError `invalid` naming `path` */
export function parseBySchema(schema: TSchema, value: unknown, path: string): number {
  const number = (schema[Kind] === "Integer" ? parseInteger : parseNumber)(value, path);
  const [error] = findErrors(schema, number, path);
  if (error) throw invalid(path, error.message);
  return number;
}
