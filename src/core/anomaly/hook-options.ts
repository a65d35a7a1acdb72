// Options of a hook beside its kind: the events that it gets, how they are grouped, and when it is muted.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { oneOfWords } from "../input/words.ts";
import { HookMuteWindow, mutedUntil } from "../model/mute.ts";
import { durationSchema } from "../time/duration-schema.ts";
import { DAY_MS, parseDuration } from "../time/time.ts";
import { defaultTopics, type EventKind, eventTopics, formerTopics, topicOf } from "./event.ts";

const GROUP_WAIT = "30s";
const GROUP_INTERVAL = "5m";
/** Leaves a day of the life of an event for attempts that fail. */
const MAX_GROUP_MS = 2 * DAY_MS;
const rule = `must be a list of ${eventTopics.join(", ")}`;

/** Keys of every hook, absent where the default applies. */
export const hookOptions = {
  events: Type.Optional(
    Type.Array(oneOfWords(eventTopics), {
      minItems: 1,
      uniqueItems: true,
      default: [...defaultTopics],
      description:
        "Events that the hook gets: `anomaly` its start and end, `level_shift` a step to another level, `silence` " +
        "points that stop and return, `source` a data source that cannot be read and can be again, `forecast` a " +
        "bound that a forecast will break, `drift` a series that has changed since its training",
      rule,
    }),
  ),
  group_wait: Type.Optional(
    durationSchema({
      description:
        `Time in which events that begin together are collected into one notification; default ${GROUP_WAIT} where ` +
        "another setting of groups is given, else events are not grouped",
      examples: [GROUP_WAIT],
    }),
  ),
  group_interval: Type.Optional(
    durationSchema({
      description: "Time between two notifications of a group",
      default: GROUP_INTERVAL,
    }),
  ),
  group_by: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      maxItems: 16,
      uniqueItems: true,
      description: "Tags whose values part the events into groups, as in `host`; default: one group",
      rule: "must be a list of names of tags",
    }),
  ),
  mute: Type.Optional(
    Type.Array(HookMuteWindow, {
      maxItems: 64,
      description: "Times in which the hook notifies nobody; what lasts longer is announced afterwards",
    }),
  ),
};
const HookOptions = Type.Object(hookOptions);
export type HookOptions = Static<typeof HookOptions>;

/** The options among the settings of a hook. */
export function optionsOf(settings: HookOptions): HookOptions {
  const { events, group_wait, group_interval, group_by, mute } = settings;
  return {
    ...(events && { events }),
    ...(group_wait !== undefined && { group_wait }),
    ...(group_interval !== undefined && { group_interval }),
    ...(group_by && { group_by }),
    ...(mute && mute.length > 0 && { mute }),
  };
}

/** Until when a hook is muted, ms since the epoch; undefined: it is not. @param at ms since the epoch */
export function hookMutedUntil({ mute = [] }: HookOptions, at: number): number | undefined {
  return mutedUntil(mute, at);
}

/** Stores the default events with a new hook; one of an older version that chooses none keeps what it gets. */
export function withDefaultEvents<H extends HookOptions>(old: HookOptions | undefined, next: H): H {
  return next.events || (old && !old.events) ? next : { ...next, events: [...defaultTopics] };
}

/** The events of a stored hook as they are shown: only where they differ from those of a new one. */
export function shownEvents({ events = [...formerTopics] }: HookOptions): Pick<HookOptions, "events"> {
  const isDefault =
    events.length === defaultTopics.length && defaultTopics.every((topic) => events.includes(topic));
  return isDefault ? {} : { events };
}

/** Whether a hook gets events of a kind. */
export function wantsEvent({ events = [...formerTopics] }: HookOptions, kind: EventKind): boolean {
  return events.includes(topicOf(kind));
}

/** How a hook groups its events. */
export interface Grouping {
  readonly waitMs: number;
  readonly intervalMs: number;
  readonly by: readonly string[];
}

/** @returns undefined where each event is a notification of its own */
export function groupingOf({ group_wait, group_interval, group_by }: HookOptions): Grouping | undefined {
  if (group_wait === undefined && group_interval === undefined && !group_by) return undefined;
  return {
    waitMs: parseDuration(group_wait ?? GROUP_WAIT, "group_wait"),
    intervalMs: parseDuration(group_interval ?? GROUP_INTERVAL, "group_interval"),
    by: group_by ?? [],
  };
}

/**
 * Refuses waits of groups after which events have expired; those of before may stay.
 * @throws TorusError `invalid`
 */
export function checkGroupTimes(next: HookOptions, before: HookOptions = {}): void {
  for (const key of ["group_wait", "group_interval"] as const) {
    const time = next[key];
    if (time !== undefined && time !== before[key] && parseDuration(time, key) > MAX_GROUP_MS)
      throw invalid(key, "must be at most 2d: events that wait longer than three days expire");
  }
}

/** Key of the group of an event: the values of its tags, in order. */
export function eventGroupKeyOf({ by }: Grouping, tags: Readonly<Record<string, string>>): string {
  return JSON.stringify(by.map((tag) => [tag, tags[tag] ?? ""]));
}

/** Tags and values of a group. */
export function tagsOfEventGroup(key: string): Readonly<Record<string, string>> {
  return Object.fromEntries(JSON.parse(key) as [string, string][]);
}
