// The table of commands, in the order of the help.
import type { Command } from "../command/command.ts";
import { apply } from "./apply.ts";
import { backtest } from "./backtest.ts";
import { binCommands } from "./bin.ts";
import { bucketProbeCommands } from "./bucket-probe.ts";
import { bucketCommands } from "./buckets.ts";
import { changeCommands } from "./changes.ts";
import { helpCommands } from "./completion.ts";
import { detectBucket } from "./detect-bucket.ts";
import { eventCommands } from "./events.ts";
import { hookCommands } from "./hooks/index.ts";
import { importCsv } from "./import-csv.ts";
import { jobCommands } from "./jobs.ts";
import { liveCommands } from "./live.ts";
import { budget } from "./models/budget.ts";
import { calendarCommands } from "./models/calendars.ts";
import { capacity } from "./models/capacity.ts";
import { modelCommands } from "./models/index.ts";
import { labelCommands } from "./models/labels.ts";
import { seriesCommands } from "./models/series.ts";
import { offlineCommands } from "./offline.ts";
import { plot } from "./plot.ts";
import { predictionCommands } from "./predictions.ts";
import { related } from "./related.ts";
import { scheduledJobCommands } from "./scheduled-jobs.ts";
import { serverCommands } from "./server/index.ts";
import { listNodes } from "./server/nodes.ts";
import { programCommands } from "./server/program.ts";
import { reportCommands } from "./server/report.ts";
import { stateCommands } from "./server/state.ts";
import { templateCommands } from "./templates.ts";
import { tokenCommands } from "./tokens.ts";
import { top } from "./top.ts";
import { transferCommands } from "./transfer.ts";
import { listPresetsCommand } from "./watch/presets.ts";
import { watch } from "./watch/watch.ts";

export const commands: readonly Command[] = [
  ...serverCommands,
  ...bucketCommands,
  ...bucketProbeCommands,
  detectBucket,
  importCsv,
  plot,
  ...offlineCommands,
  ...modelCommands,
  ...seriesCommands,
  ...predictionCommands,
  backtest,
  watch,
  listPresetsCommand,
  top,
  ...liveCommands,
  related,
  capacity,
  budget,
  ...reportCommands,
  ...labelCommands,
  ...changeCommands,
  ...hookCommands,
  ...eventCommands,
  ...jobCommands,
  ...scheduledJobCommands,
  ...calendarCommands,
  ...templateCommands,
  apply,
  ...tokenCommands,
  ...binCommands,
  ...transferCommands,
  listNodes,
  ...stateCommands,
  ...helpCommands,
  ...programCommands,
];
