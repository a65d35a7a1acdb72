// Shared parts of all screens, bundled into the first file.

export { useAction } from "./parts/action.ts";
export { Dialog } from "./parts/dialog.tsx";
export { Facts } from "./parts/facts.tsx";
export { JobProgress } from "./parts/job-progress.tsx";
export { KeyList } from "./parts/key-list.tsx";
export { useAnswer } from "./parts/use-answer.ts";
export { Waiting } from "./parts/waiting.tsx";
export { kinds } from "./state/kinds.ts";
