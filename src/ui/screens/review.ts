// Screens of what happened and what comes, in one file of the bundle, which is smaller than one for each.

import "../shared-screens.ts";

export { Anomalies } from "./anomalies/anomalies.tsx";
export { Capacity } from "./capacity.tsx";
export { AnomalyDetail } from "./model/anomaly/anomaly.tsx";
export { Report } from "./report/report.tsx";
