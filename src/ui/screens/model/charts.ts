// Chart of a model, and series of a fleet, which have the same chart, in one file of the bundle.

export { ModelChart } from "./chart.tsx";
export { FleetTab } from "./fleet/list.tsx";
export { Series } from "./fleet/series.tsx";
