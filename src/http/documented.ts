// Schemas that document a route without checking it: the resources check, and say what is wrong in our words.
import { Kind, type TSchema, type TUnsafe, TypeRegistry } from "@sinclair/typebox";

const DOCUMENTED = "Documented";
if (!TypeRegistry.Has(DOCUMENTED)) TypeRegistry.Set(DOCUMENTED, () => true);

/**
 * A schema that says in the API documents what it said before, and accepts every value.
 * Parts lose their kinds, so that the framework finds nothing in them to coerce or to fill in.
 */
export function documented<T = unknown>(schema: TSchema): TUnsafe<T> {
  return { ...JSON.parse(JSON.stringify(schema)), [Kind]: DOCUMENTED } as TUnsafe<T>;
}
