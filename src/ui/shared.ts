// Small parts that many screens share: in the first file, they need none of their own.

export { useAction } from "./parts/action.ts";
export { DeleteButton } from "./parts/delete-button.tsx";
export { Dialog } from "./parts/dialog.tsx";
export { JobProgress } from "./parts/job-progress.tsx";
export { useAnswer } from "./parts/use-answer.ts";
export { Waiting } from "./parts/waiting.tsx";
export { kinds } from "./state/kinds.ts";
