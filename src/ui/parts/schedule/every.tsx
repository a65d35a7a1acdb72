// When something runs again: a sentence of fields, or a cron text; in words.

import type { ScheduledJobView } from "../../../api/scheduled-job.ts";
import { weekdays } from "../../lib/anomalies/mute-grid.ts";
import { serverZone, texts, zoneName } from "../../state/preferences.ts";
import { Input, Select } from "../form/controls.tsx";

export type EveryValue = ScheduledJobView["every"];

const units = ["minute", "hour", "day", "week", ...weekdays] as const;
type Unit = (typeof units)[number];

/** 24 hours in every language, unlike the browser's own field. */
const CLOCK = "([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?";

/** Units with a time of day. */
const hasTime = (unit: string) => unit !== "second" && unit !== "minute" && unit !== "hour";
/** `days` is `day`. */
const singular = (unit = "day") => unit.replace(/^(second|minute|hour|day|week)s$/, "$1") as Unit | "second";

/** `every day at 03:00`; times of a zone that is not the shown one name it. */
export function describeEvery(every: EveryValue): string {
  const { cron, at, timezone = serverZone.value } = every;
  const isLocal = (cron === undefined && at === undefined) || !timezone || timezone === zoneName.value;
  return isLocal ? wordsOf(every) : `${wordsOf(every)} (${timezone})`;
}

function wordsOf({ cron, unit, count = 1, at }: EveryValue): string {
  const { names, words: wordsIn, withTime, cronText } = texts.value.every;
  if (cron !== undefined) return cronText(cron);
  const name = singular(unit);
  const words = wordsIn(count, name, names[name]);
  return at === undefined ? words : withTime(words, at);
}

/** A new timetable, whose times are those of the shown zone. */
export function inShownZone(every: EveryValue): EveryValue {
  return zoneName.value === serverZone.value ? every : { ...every, timezone: zoneName.value };
}

interface EveryFieldProps {
  readonly value: EveryValue;
  readonly onChange: (value: EveryValue) => void;
}

export function EveryField({ value, onChange }: EveryFieldProps) {
  const { legend, unitLabel, own, cronLabel } = texts.value.every;
  const { names } = texts.value.every;
  const isCron = value.cron !== undefined;
  const unit = singular(value.unit);
  const known = unit === "second" ? (["second", ...units] as const) : units;
  const { timezone } = value;
  const zone = timezone === undefined ? {} : { timezone };
  const choose = (next: string) => {
    if (next === "cron") onChange({ cron: "0 3 * * *", ...zone });
    else {
      const at = hasTime(unit) ? (value.at ?? "03:00") : "03:00";
      onChange({ unit: next, ...(hasTime(next) && { at }), ...zone });
    }
  };
  return (
    <fieldset class="every">
      <legend>{legend}</legend>
      {!isCron && <CountField value={value} onChange={onChange} />}
      <Select
        label={<span class="hidden">{unitLabel}</span>}
        value={isCron ? "cron" : unit}
        options={[...known.map((name) => [name, names[name]] as const), ["cron", own]]}
        onChange={choose}
      />
      {isCron && (
        <Input
          label={<span class="hidden">{cronLabel}</span>}
          class="code"
          value={value.cron}
          required
          maxLength={256}
          onInput={(cron) => onChange({ cron, ...zone })}
        />
      )}
      {!isCron && hasTime(unit) && <TimeField value={value} onChange={onChange} />}
    </fieldset>
  );
}

function CountField({ value, onChange }: EveryFieldProps) {
  const { every, count } = texts.value.every;
  return (
    <label>
      <span>{every}</span>{" "}
      <input
        type="number"
        class="short"
        aria-label={count}
        min={1}
        max={1_000_000}
        required
        value={value.count ?? 1}
        onInput={({ currentTarget }) => {
          const number = currentTarget.valueAsNumber;
          const { count: _, ...rest } = value;
          onChange(number > 1 ? { ...rest, count: Math.round(number) } : rest);
        }}
      />
    </label>
  );
}

function TimeField({ value, onChange }: EveryFieldProps) {
  const { at, time } = texts.value.every;
  return (
    <Input
      label={<span>{at}</span>}
      class="short"
      aria-label={time}
      required
      inputMode="numeric"
      pattern={CLOCK}
      placeholder="03:00"
      value={value.at ?? "00:00"}
      onInput={(at) => onChange({ ...value, at })}
    />
  );
}
