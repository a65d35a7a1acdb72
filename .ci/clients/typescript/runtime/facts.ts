// Version of the API and codes of its errors; a package holds those of its API document in place of this file.
import pack from "../../../../package.json" with { type: "json" };

export { errorCodes } from "../../../../src/core/errors.ts";
export const version: string = pack.version;
