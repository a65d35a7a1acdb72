// Route of apply: creates, changes and prunes many resources in one request.
import { ApplyInput, ApplyResult, DEFAULT_SET, SetName } from "../../core/apply/resource.ts";
import { optional } from "../../core/input/optional.ts";
import { check } from "../../core/input/schema.ts";
import { parseBoolean } from "../../core/input/value.ts";
import { principalOf } from "../framework/access.ts";
import { Answer, withAdvice } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { commonQuery, query } from "../framework/params.ts";

/** Routes of apply. */
export function createApplyRoutes({
  apply,
  advice,
  log,
  holdOpen,
}: Pick<AppDeps, "apply" | "advice" | "log" | "holdOpen">) {
  return createInstance().post(
    "/_apply",
    async ({ query, body, request }) => {
      const { token } = principalOf(request);
      const set = check(SetName, query.set ?? DEFAULT_SET, "set");
      const dryRun = parseBoolean(query.dry_run ?? false, "dry_run");
      const prune = parseBoolean(query.prune ?? false, "prune");
      // Thousands of resources on a slow disk take longer than the idle timeout.
      holdOpen(request);
      const input = check(ApplyInput, body);
      const result = await apply.apply(input, { set, dryRun, prune, creator: token });
      const changed = result.changes.filter(({ action }) => action !== "none").length;
      if (!dryRun && changed > 0) log.info("applied", { set, changed, by: token?.name ?? null });
      // Before a run that is not dry, what the resources name is not there yet.
      return withAdvice(new Answer(200, result), dryRun ? [] : await advice.onApplied(input.resources));
    },
    {
      query: query({
        ...commonQuery,
        dry_run: optional.flag("Report the changes without making them"),
        prune: optional.flag(
          "Delete resources that an earlier apply of this set created and this one does not contain",
        ),
        set: optional.text("Name of the set; default: `default`"),
      }),
      body: documented(ApplyInput),
      response: documented(ApplyResult),
      detail: {
        scope: "admin",
        summary: "Create, change and prune resources by their description",
        description:
          "All resources are checked before any is changed: a mistake is a 400 whose `mistakes` name each resource by `index`. " +
          "A resource is replaced by its description; secrets that are left out stay. " +
          "The header `X-Torus-Advice` names what they refer to that does not exist.",
        tags: ["apply"],
      },
    },
  );
}
