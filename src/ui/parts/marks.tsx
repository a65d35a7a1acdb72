// Marks: the state of a model, a score, a severity; shape and word beside the colour.

import type { FleetSeriesView } from "../../api/fleet.ts";
import type { JobView } from "../../api/job.ts";
import type { ModelStateName } from "../../core/model/model-state.ts";
import { rarityOfScore } from "../lib/format.ts";
import { type Announced, standingOf } from "../lib/standing.ts";
import { serverNow } from "../state/clock.ts";
import { language, moments, numbers, texts } from "../state/preferences.ts";

/** Shapes differ, for readers who see no colours. */
const shapes: Readonly<Record<ModelStateName, string>> = {
  anomaly: "▲",
  failing: "✕",
  no_data: "⊘",
  training: "◔",
  learning: "◌",
  live: "●",
  stopped: "○",
  untrained: "◇",
};

interface MarkProps {
  readonly look: ModelStateName;
  readonly text: string;
}

/** A state: its shape and colour, and its word. */
function Mark({ look, text }: MarkProps) {
  return (
    <span class={`state ${look}`}>
      <span aria-hidden="true">{shapes[look]}</span> {text}
    </span>
  );
}

export function StateMark({ state }: { state: ModelStateName }) {
  return <Mark look={state} text={texts.value.states[state]} />;
}

/** Looks of the states of series. */
const looks: Readonly<Record<FleetSeriesView["state"], ModelStateName>> = {
  anomalous: "anomaly",
  silent: "no_data",
  new: "learning",
  watched: "live",
  stopped: "stopped",
};

export function SeriesMark({ state }: Pick<FleetSeriesView, "state">) {
  return <Mark look={looks[state]} text={texts.value.fleet.states[state]} />;
}

/** Looks of the states of jobs. */
const jobLooks: Readonly<Record<JobView["state"], ModelStateName>> = {
  waiting: "learning",
  running: "training",
  done: "live",
  failed: "failing",
  canceled: "stopped",
};

export function JobMark({ state }: Pick<JobView, "state">) {
  return <Mark look={jobLooks[state]} text={texts.value.jobStates[state]} />;
}

/** Scores at which anomalies end and start, where those of the model are not known. */
const usualLimits = { min: 33, max: 67 } as const;

interface ScoreProps {
  readonly score: number | null | undefined;
  readonly limits?: { readonly min: number; readonly max: number } | undefined;
}

/** Below, more than one normal point in ten is as odd. */
const RARE_SCORE = 17;

/** A score ends there; what is rarer has no other. */
const MAX_SCORE = 100;

/** `59, one normal point in 3,700`; `3, usual`. */
export function describeScore(score: number): string {
  const { scoreMeans, scoreUsual } = texts.value;
  const shown = score.toFixed(0);
  const isRare = score >= RARE_SCORE;
  if (!isRare) return scoreUsual(shown);
  return scoreMeans(shown, rarityOfScore(score, language.value), score >= MAX_SCORE);
}

/** The bar changes its colour at the limits. */
export function ScoreMark({ score, limits = usualLimits }: ScoreProps) {
  const { noScore } = texts.value;
  if (score === null || score === undefined) return <span class="quiet none">{noScore}</span>;
  return (
    <span class="score" title={describeScore(score)}>
      <meter max={100} low={limits.min} high={limits.max} optimum={0} value={score} aria-hidden="true" />
      {score.toFixed(0)}
    </span>
  );
}

export function SeverityMark({ severity }: { severity: "info" | "warning" | "critical" }) {
  return <span class={`severity ${severity}`}>{texts.value.severities[severity]}</span>;
}

interface StandingsProps {
  readonly live: Announced | undefined;
  /** Of the model, by feature. */
  readonly units: Readonly<Record<string, string>> | undefined;
  readonly all?: boolean;
}

/** What a live model or series announces beside anomalies. @param all also bounds that are far ahead */
export function Standings({ live, units, all = false }: StandingsProps) {
  if (!live) return null;
  const now = serverNow();
  const list = standingOf(live, {
    texts: texts.value,
    moments: moments.value,
    numbers: numbers.value,
    units,
    now,
  });
  return (
    <>
      {list
        .filter(({ isActive }) => all || isActive)
        .map(({ text, isActive }) => (
          <small key={text} class={isActive ? "bad" : "quiet"}>
            {text}
          </small>
        ))}
    </>
  );
}
