// Overlays of the page in one file: those that keys open, the login, and the line about a deletion.

export { UndoLine } from "../../parts/undo-line.tsx";
export { Finder } from "./finder.tsx";
export { Keys } from "./keys.tsx";
export { Login } from "./login.tsx";
export { Sheet } from "./sheet.tsx";
