// Schema of reports: what happened in a range, how alarms were judged, and what would have spared the false ones.
import { Type } from "@sinclair/typebox";
import { severities } from "../../core/anomaly/severity.ts";
import { optional } from "../../core/input/optional.ts";
import { oneOfWords } from "../../core/input/words.ts";
import { noProposalCodes } from "../../core/report/proposal.ts";
import { Anomaly, SeverityLevel } from "../anomaly.ts";
import { AttributedChange } from "../changes/attribution.ts";
import { type Shown, seconds } from "../shown.ts";
import { ErrorBudget } from "./budget.ts";
import { Capacity } from "./capacity.ts";
import { cut, Now } from "./now.ts";

const model = Type.String({ description: "Name of the model" });
const confirmed = Type.Integer({ description: "Judged as anomalies" });
const dismissed = Type.Integer({ description: "Judged as false alarms" });
const unjudged = Type.Integer({ description: "Without feedback" });
const { sources, failing, silent, silent_series } = Now.properties;

const worst = Type.Object(Type.Pick(Anomaly, ["model", "series", "scope", "share", "peak"]).properties, {
  description: "The worst anomaly, as of `GET /anomalies`; its `peak` has the strongest feature alone",
});

const ReportedIncident = Type.Object(
  {
    start: seconds(),
    end: Type.Union([Type.Number(), Type.Null()], { description: "null while one of its anomalies lasts" }),
    severity: SeverityLevel,
    summary: Type.String({ description: "The strongest value of its worst anomaly, in words" }),
    id: Type.String({ format: "uuid", description: "Id of the worst anomaly" }),
    worst,
    tag: optional.text("What its anomalies share, as in `host=a`"),
    models: Type.Array(Type.String(), { description: "At most 10" }),
    anomalies: Type.Integer({ description: "Number of its anomalies" }),
    anomaly: optional.flag("The verdict that all of them share"),
    change: Type.Optional(AttributedChange),
  },
  { $id: "ReportedIncident", description: "Anomalies of one or several models that belong together" },
);
export type ReportedIncidentView = Shown<typeof ReportedIncident>;

const Proposal = Type.Object(
  {
    summary: Type.String({ description: "What it changes and what it would have spared" }),
    method: Type.Literal("PATCH"),
    path: Type.String({ description: "Path of the model" }),
    body: Type.Record(Type.String(), Type.Unknown(), { description: "The settings that change" }),
    silenced: Type.Integer({
      description: "Alarms of the range that it would have spared; none is confirmed",
    }),
  },
  { $id: "Proposal", description: "A request that applies a change of settings" },
);
export type ProposalView = Shown<typeof Proposal>;

const NoisyModel = Type.Object(
  {
    model,
    total: Type.Integer({ description: "Its alarms" }),
    confirmed,
    dismissed,
    unjudged,
    proposal: Type.Optional(Proposal),
    no_proposal: optional.text("Why there is none, in words"),
    no_proposal_code: Type.Optional(
      oneOfWords(noProposalCodes, {
        description: "Why there is none; with `spared_by_settings`, `spared` counts",
      }),
    ),
    spared: optional.integer("Its alarms that the settings in force would have spared"),
  },
  { $id: "NoisyModel", description: "A model with alarms that are not confirmed" },
);
export type NoisyModelView = Shown<typeof NoisyModel>;

const FollowedChange = Type.Object({
  ...Type.Pick(AttributedChange, ["id", "kind", "title", "url", "at"]).properties,
  incidents: Type.Integer({ description: "Incidents that it may have caused" }),
  summary: Type.String({ description: "That of the worst of them" }),
  worst,
});

const verdicts = { total: Type.Integer({ description: "Number of alarms" }), confirmed, dismissed, unjudged };

export const Report = Type.Object(
  {
    at: seconds("The instant of the answer, seconds since the epoch"),
    from: seconds("Start of the range, seconds since the epoch"),
    to: seconds("Its end, exclusive"),
    truncated: Type.Optional(
      Type.Literal(true, { description: "The range, or that before it, has more alarms than are read" }),
    ),
    incidents: cut(ReportedIncident, "Of the 300 worst anomalies; at most 20, the worst first"),
    alarms: Type.Object(
      {
        ...verdicts,
        by_severity: Type.Object(
          Object.fromEntries(severities.map((level) => [level, Type.Integer()])) as Record<
            (typeof severities)[number],
            ReturnType<typeof Type.Integer>
          >,
        ),
        days: Type.Array(Type.Object({ at: seconds("Start of the day, UTC"), total: Type.Integer() }), {
          description: "Alarms by day",
        }),
        hours: Type.Array(Type.Integer(), { description: "Alarms by hour of the day, UTC, from 0 to 23" }),
        before: Type.Object(verdicts, { description: "Of the range of the same length before it" }),
      },
      { description: "Anomalies of live detection that started in the range" },
    ),
    noisiest: Type.Array(NoisyModel, {
      description: "At most 5 models of most alarms that are not confirmed; dismissed ones count double",
    }),
    sources,
    failing,
    silent,
    silent_series,
    changes: Type.Object({
      total: Type.Integer({ description: "Changes that began in the range" }),
      good: Type.Integer({ description: "Those of them that none of the listed incidents followed" }),
      followed: Type.Array(FollowedChange, {
        description: "At most 10 changes before listed incidents, the worst first",
      }),
    }),
    capacity: cut(
      Capacity,
      "Limits that series move towards, at most 5, the earliest first, as of `GET /capacity`",
    ),
    budgets: cut(
      ErrorBudget,
      "Error budgets, at most 5, those with the least left first, as of `GET /budgets`",
    ),
  },
  { $id: "Report", description: "What happened in a range" },
);
export type ReportView = Shown<typeof Report>;
