// The bend of the newest values goes on: growth that slows down, or speeds up; of values without one it says nothing.
import { bendOfLevel } from "../history/bend.ts";
import { levelKind } from "./level-kind.ts";

export const bend = levelKind({
  method: "bend",
  text: "bend of the newest values",
  prior: 0.5,
  path: (level) => bendOfLevel(level)?.at,
});
