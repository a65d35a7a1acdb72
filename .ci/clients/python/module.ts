// Module of the Python client: fixed parts, errors, records, and the class.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Api } from "../api.ts";
import { writeClass, writeErrors } from "./methods.ts";
import { Records } from "./records.ts";

/** Parts that are the same for every document; the imports first. */
const fixed = ["head", "errors", "records", "transport", "tables"];

/** Text of `torus_client.py`. */
export function writeModule(api: Api): string {
  const records = new Records(api);
  const client = writeClass(api, records);
  const runtime = fixed.map((name) =>
    readFileSync(join(import.meta.dir, `runtime/${name}.py`), "utf8").trimEnd(),
  );
  const version = `__version__ = ${JSON.stringify(api.version)}`;
  return `${[...runtime, version, writeErrors(api), records.write(), client].join("\n\n\n")}`;
}
