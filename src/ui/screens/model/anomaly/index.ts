// Detail of an anomaly in one file of the bundle.

import "../../../shared-screens.ts";

export { AnomalyDetail } from "./anomaly.tsx";
