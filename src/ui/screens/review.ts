// Screens of what happened and what comes, in one file of the bundle, which is smaller than one for each.

export { Anomalies } from "./anomalies/anomalies.tsx";
export { Capacity } from "./capacity.tsx";
export { Report } from "./report/report.tsx";
