// Absence: the steps at which no series has a sample.
import { type Labels, makeLabels, NAME, noLabels } from "../labels.ts";
import type { VectorSelector } from "../language/expression.ts";
import type { Context } from "./context.ts";
import { anyPresent } from "./match.ts";
import { coverSteps } from "./select.ts";
import { isEmpty, type Vector, vectorOf } from "./values.ts";

/** 1 at steps without a sample, with the labels that the selector demands. */
export function absenceOf(
  { columns }: Vector,
  selector: VectorSelector | undefined,
  context: Context,
): Vector {
  return absence(anyPresent(columns, context.steps.count), selector, context);
}

/** As `absenceOf` of its samples, of which no columns are made. */
export async function absenceOfSelector(selector: VectorSelector, context: Context): Promise<Vector> {
  return absence(await coverSteps(selector, context), selector, context);
}

function absence(
  covered: Uint8Array,
  selector: VectorSelector | undefined,
  { steps, budget }: Context,
): Vector {
  budget.takeValues(1, steps.count);
  const labels = selector ? demandedLabels(selector) : noLabels;
  const present = covered.map((any) => 1 - any);
  const column = { labels, values: new Float64Array(steps.count).fill(1), present };
  return vectorOf(isEmpty(column) ? [] : [column]);
}

/** Of labels that are named once, by equality. */
function demandedLabels({ matchers }: VectorSelector): Labels {
  const once = matchers.filter(
    ({ name, op }) =>
      op === "=" && name !== NAME && matchers.filter((other) => other.name === name).length === 1,
  );
  return makeLabels(once.map(({ name, value }) => [name, value]));
}
