// The last level, smoothed, goes on.
import { smoothLevel } from "../history/smoothing.ts";
import { levelKind } from "./level-kind.ts";

export const lastLevel = levelKind({
  method: "level",
  text: "last level",
  prior: 0.5,
  path: ({ values }) => {
    const { level } = smoothLevel(values);
    return () => level;
  },
});
