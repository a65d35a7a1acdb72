// Detectors by name, as in `state` and in the evidence of anomalies: a new one is a file here and a line below.
import { absent } from "./absent.ts";
import { busy } from "./busy.ts";
import { clock } from "./clock.ts";
import { course } from "./course.ts";
import { hourly } from "./hourly.ts";
import { jump } from "./jump.ts";
import type { DetectorKind } from "./kind.ts";
import { linear } from "./linear.ts";
import { network } from "./network.ts";
import { quiet } from "./quiet.ts";
import { same } from "./same.ts";
import { seasonal } from "./seasonal.ts";
import { still } from "./still.ts";
import { weekly } from "./weekly.ts";
import { changesOf, windowsOf } from "./windows.ts";

const kinds = {
  network,
  linear,
  seasonal,
  neighbours3: windowsOf(3),
  neighbours10: windowsOf(10),
  neighbours40: windowsOf(40),
  neighbours100: windowsOf(100),
  changes20: changesOf(20),
  clock3: clock,
  jump,
  course,
  still,
  weekly,
  hourly,
  quiet,
  busy,
  absent,
  same,
} satisfies Record<string, DetectorKind>;

export type DetectorName = keyof typeof kinds;
export const detectorKinds: Readonly<Record<DetectorName, DetectorKind>> = kinds;
export const detectorNames = Object.keys(kinds) as DetectorName[];
/** Those that tell whether an anomaly goes on: by a past in which it is imputed, or by what ends with the first point after it. */
export const endingNames = detectorNames.filter(
  (name) => detectorKinds[name].expects || detectorKinds[name].bothSides,
);
