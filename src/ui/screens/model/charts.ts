// Chart of a model, and series of a fleet, which have the same chart, in one file of the bundle.

import "../../shared-screens.ts";

export { ModelChart } from "./chart.tsx";
export { FleetTab } from "./fleet/list.tsx";
export { Series } from "./fleet/series.tsx";
