// The line of the last segment goes on.
import { levelKind } from "./level-kind.ts";

export const line = levelKind({
  method: "line",
  text: "line of the last segment",
  prior: 0.5,
  path:
    ({ line: start, slope, drift }) =>
    (lead) =>
      start + (slope - drift) * Math.max(0, lead),
});
