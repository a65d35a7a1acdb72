// Screens beyond those of the first look in one file of the bundle, which is smaller than one for each.

import "../shared-screens.ts";
import "./model/charts.ts";

export { Anomalies } from "./anomalies/anomalies.tsx";
export { Buckets } from "./buckets/buckets.tsx";
export { Capacity } from "./capacity.tsx";
export { AllHooks, ModelHooks } from "./hooks/index.tsx";
export { Jobs } from "./jobs.tsx";
export { AnomalyDetail } from "./model/anomaly/anomaly.tsx";
export { ModelForecast } from "./model/forecast/forecast.tsx";
export { ModelSettingsTab } from "./model/settings/settings.tsx";
export { ModelTune } from "./model/tune/index.tsx";
export { ModelVersions } from "./model/versions.tsx";
export { NewModel } from "./new-model/new-model.tsx";
export { Report } from "./report/report.tsx";
export { Schedules } from "./schedules.tsx";
export { Settings } from "./settings/settings.tsx";
