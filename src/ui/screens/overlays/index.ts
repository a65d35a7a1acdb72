// Overlays that keys open, in one file.
export { Finder } from "./finder.tsx";
export { Keys } from "./keys.tsx";
export { Sheet } from "./sheet.tsx";
