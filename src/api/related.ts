// Schema of related series: what else deviated around an anomaly, ranked by how probably it is the cause.
import { Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { SeriesTags } from "../core/model/fleet.ts";
import { Direction } from "./anomaly.ts";
import { type Shown, seconds } from "./shown.ts";

const Tags = Type.Record(Type.String(), Type.String());
const confidence = Type.Number({ description: "That it is the cause, 0..1" });
const onset = seconds("When it began to change, by a change point of its scores, seconds since the epoch");

const moved = {
  series: Type.Optional(SeriesTags),
  feature: Type.String({ description: "Its feature that is the rarest; of a scan, its field" }),
  type: Direction,
  start: seconds("Start of its first rare interval, seconds since the epoch"),
  onset,
  lead: optional.number("How long before the anomaly it began to change, s; below 0: after it"),
  rarity: Type.Number({ description: "One normal interval in `10^rarity` is this rare, at its peak" }),
  confidence,
  chance: Type.Number({
    description:
      "Of the series as closely related that deviated as much and as near in time, the share that does so by chance",
  }),
  shared: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: "Tags in common with what it is related to" }),
  ),
  past: Type.Object(
    { times: Type.Integer(), days: Type.Number() },
    { description: "How often it deviated as much before, and in how many days" },
  ),
  together: Type.Optional(
    Type.Object(
      { times: Type.Integer(), of: Type.Integer() },
      { description: "Of the earlier deviations of the anomaly's series, those beside which it deviated" },
    ),
  ),
  reasons: Type.Array(Type.String(), { description: "In words" }),
};

const RelatedSeries = Type.Object(
  {
    model: Type.String({ description: "Name of the model" }),
    ...moved,
    anomaly: optional.text("Id of its anomaly, where it raised one"),
  },
  { $id: "RelatedSeries", description: "A series that deviated too" },
);

const ScannedSeries = Type.Object(
  { bucket: Type.String(), measurement: Type.Optional(Type.String()), ...moved },
  { $id: "ScannedSeries", description: "A series of a bucket that deviated too" },
);

const answer = {
  from: seconds("Start of the window, seconds since the epoch"),
  to: seconds("End of the window, exclusive"),
  watched: Type.Integer({ description: "Number of series that live detection scores, or that were scanned" }),
  moved: Type.Integer({ description: "Of these, number that began to deviate in the window" }),
  anomaly: Type.Optional(
    Type.Object(
      { id: Type.String(), model: Type.String(), series: Type.Optional(Tags), onset, confidence },
      { description: "The anomaly itself, with the confidence that it moved first" },
    ),
  ),
  common: Type.Optional(
    Type.Object(
      { share: Type.Number({ description: "Of all series, 0..1" }), at: seconds() },
      { description: "Most series moved at one time, for a common cause" },
    ),
  ),
  summary: Type.String({ description: "In words" }),
};
const order = { description: "The most probable cause first; empty: nothing is related" };

export const Related = Type.Object(
  { ...answer, related: Type.Array(RelatedSeries, order) },
  { $id: "Related", description: "What else moved" },
);
export const RelatedScan = Type.Object(
  { ...answer, related: Type.Array(ScannedSeries, order) },
  { $id: "RelatedScan", description: "What else moved among the series of a bucket" },
);
export type RelatedView = Shown<typeof Related>;
export type RelatedSeriesView = RelatedView["related"][number];
export type RelatedScanView = Shown<typeof RelatedScan>;
