// Resources by name, shown by a command.
import { pathOf } from "../client/client.ts";
import type { Context } from "../command/command.ts";
import { answerObjects } from "../output/present.ts";

/** Shows resources as YAML, or as JSON with `--json`. @param noun plural, as in the path */
export async function showResources(
  context: Context,
  noun: string,
  names: readonly string[],
): Promise<undefined> {
  return answerObjects(context, await context.client.call<object[]>(`GET ${pathOf(noun, names)}`));
}
