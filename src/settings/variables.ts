// Variables of the environment that are close to one of a setting, and none: they would be passed over silently.
import { suggestClosest } from "../core/input/suggest.ts";

const PREFIX = "TORUS_";

/** A variable, and the one that is probably meant. */
export interface Misspelt {
  readonly variable: string;
  readonly near: string;
}

/** @param known variables of settings; what resembles none of them is taken for that of another program */
export function listMisspelt(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): Misspelt[] {
  return Object.keys(env)
    .filter((variable) => variable.startsWith(PREFIX) && !known.includes(variable))
    .flatMap((variable) => {
      const near = findNear(variable, known);
      return near === undefined ? [] : [{ variable, near }];
    });
}

/** Of a section that there is, the rest alone is compared: `TORUS_SERVER_PORT` of Kubernetes is not close to CORS. */
function findNear(variable: string, known: readonly string[]): string | undefined {
  const section = `${PREFIX}${variable.slice(PREFIX.length).split("_", 1)[0]}_`;
  const siblings = known.filter((each) => each.startsWith(section));
  const start = siblings.length > 0 ? section : PREFIX;
  const names = (siblings.length > 0 ? siblings : known).map((each) => each.slice(start.length));
  const near = suggestClosest(variable.slice(start.length), names);
  return near === undefined ? undefined : `${start}${near}`;
}
