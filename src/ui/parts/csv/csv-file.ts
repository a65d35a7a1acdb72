// Reader, form and preview of a chosen CSV file: one file of the bundle, loaded when a file is chosen.

export { planFile } from "./csv-plan.ts";
export { Preview, Reading } from "./csv-preview.tsx";
