// Parts that screens beyond the list share, and overlays of the page, bundled into one file of their own.

export { groupIncidents } from "../core/report/incidents.ts";
export { muteOnce } from "./lib/anomalies/mute-once.ts";
export { readConstraint } from "./lib/constraint.ts";
export { shift } from "./lib/range.ts";
export { AfterChange } from "./parts/anomalies/after-change.tsx";
export { DeliveryState } from "./parts/anomalies/delivery-state.tsx";
export { describeAnomaly } from "./parts/anomalies/describe.ts";
export { describeMute } from "./parts/anomalies/describe-mute.ts";
export { Verdict } from "./parts/anomalies/verdict.tsx";
export { NoData } from "./parts/attention/troubles.tsx";
export { CsvDrop } from "./parts/csv/csv-drop.tsx";
export { ExternalUrlForm } from "./parts/external-url.tsx";
export { Chips } from "./parts/form/controls.tsx";
export { Spark } from "./parts/pictures/spark.tsx";
export { TimeAxis } from "./parts/pictures/time-axis.tsx";
export { UndoLine } from "./parts/undo-line.tsx";
export { SparkCell } from "./screens/models/spark-cell.tsx";
export { Finder } from "./screens/overlays/finder.tsx";
export { Keys } from "./screens/overlays/keys.tsx";
export { Login } from "./screens/overlays/login.tsx";
export { Sheet } from "./screens/overlays/sheet.tsx";
export { judge } from "./state/anomalies/anomalies.ts";
export { readFolded } from "./state/chart/folded.ts";
export { failureOf } from "./state/failure.ts";
export { createSeriesPage } from "./state/fleet.ts";
export { withReport } from "./state/jobs.ts";
