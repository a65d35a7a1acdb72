// Names as OpenTSDB has them: letters, digits and four signs, for metrics, tags and values alike.
import { invalid } from "../../core/errors.ts";

/** True for what OpenTSDB can hold as it is, and what means nothing else in its queries. */
export function isName(text: string): boolean {
  return /^[\p{L}0-9_./-]{1,256}$/u.test(text);
}

/** @throws TorusError `invalid` for a name that OpenTSDB cannot hold, and that could mean several others */
export function requireName(name: string): string {
  if (isName(name)) return name;
  throw invalid(
    "",
    `OpenTSDB has no name ${JSON.stringify(name.slice(0, 64))}: letters, digits, - _ . and / only`,
  );
}

/** Name of a field's metric, with its measurement in front. @throws TorusError `invalid` */
export function nameMetric(field: string, measurement: string | undefined): string {
  return requireName(measurement ? `${measurement}.${field}` : field);
}
