// Screens of administration in one file of the bundle, which is smaller than one for each.

import "../shared-screens.ts";

export { Buckets } from "./buckets/buckets.tsx";
export { AllHooks, ModelHooks } from "./hooks/index.tsx";
export { Jobs } from "./jobs.tsx";
export { NewModel } from "./new-model/new-model.tsx";
export { Schedules } from "./schedules.tsx";
export { Settings } from "./settings/settings.tsx";
