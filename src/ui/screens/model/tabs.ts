// Tabs of a model beside its chart in one file of the bundle, which is smaller than one for each.

import "../../shared-screens.ts";

export { ModelForecast } from "./forecast/forecast.tsx";
export { ModelSettingsTab } from "./settings/settings.tsx";
export { ModelTune } from "./tune/index.tsx";
export { ModelVersions } from "./versions.tsx";
