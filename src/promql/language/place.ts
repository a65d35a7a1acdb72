// Modifiers `offset` and `@`, which belong to the selector or subquery before them.
import { badData } from "../errors.ts";
import type { Expression, Place } from "./expression.ts";

/** @throws PromqlError `bad_data` behind anything but a selector or a subquery, and for a second offset */
export function setOffset(expression: Expression, offsetMs: number, from: number): Expression {
  const before = placeOf(expression);
  if (!before)
    throw badData(
      "offset modifier must be preceded by an instant vector selector or range vector selector or a subquery",
      from,
    );
  if (before.offsetMs !== 0) throw badData("offset may not be set multiple times", from);
  return withPlace(expression, { ...(before.at !== undefined && { at: before.at }), offsetMs });
}

/** @throws PromqlError `bad_data` behind anything but a selector or a subquery, and for a second instant */
export function setAt(expression: Expression, at: NonNullable<Place["at"]>, from: number): Expression {
  const before = placeOf(expression);
  if (!before)
    throw badData(
      "@ modifier must be preceded by an instant vector selector or range vector selector or a subquery",
      from,
    );
  if (before.at !== undefined) throw badData("@ <timestamp> may not be set multiple times", from);
  return withPlace(expression, { offsetMs: before.offsetMs, at });
}

function placeOf(expression: Expression): Place | undefined {
  if (expression.type === "range") return expression.selector;
  return expression.type === "vector" || expression.type === "subquery" ? expression : undefined;
}

function withPlace(expression: Expression, place: Place): Expression {
  if (expression.type === "range") return { ...expression, selector: { ...expression.selector, ...place } };
  return expression.type === "vector" || expression.type === "subquery"
    ? { ...expression, ...place }
    : expression;
}
