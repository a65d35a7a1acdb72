// What a CSV file needs once it is chosen, in one file of the bundle: most visits choose none.

export { planFile } from "./csv-plan.ts";
export { Preview, Reading } from "./csv-preview.tsx";
