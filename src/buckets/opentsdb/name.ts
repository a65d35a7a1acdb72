// Names of OpenTSDB: letters, digits and `-_./` only, for metrics, tags and values alike.
import { invalid } from "../../core/errors.ts";

/** True for names that OpenTSDB stores unchanged and that have no special meaning in its queries. */
export function isName(text: string): boolean {
  return /^[\p{L}0-9_./-]{1,256}$/u.test(text);
}

/** @throws TorusError `invalid` for a name that OpenTSDB cannot store */
export function requireName(name: string): string {
  if (isName(name)) return name;
  throw invalid(
    "",
    `OpenTSDB has no name ${JSON.stringify(name.slice(0, 64))}: letters, digits, - _ . and / only`,
  );
}

/** Name of a field's metric, prefixed by its measurement. @throws TorusError `invalid` */
export function nameMetric(field: string, measurement: string | undefined): string {
  return requireName(measurement ? `${measurement}.${field}` : field);
}
