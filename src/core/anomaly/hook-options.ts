// Options of a hook beside its kind: the events that it gets.
import { type Static, Type } from "@sinclair/typebox";
import { defaultTopics, type EventKind, eventTopics, topicOf } from "./event.ts";

const rule = `must be a list of ${eventTopics.join(", ")}`;

/** Keys of every hook, absent where the default applies. */
export const hookOptions = {
  events: Type.Optional(
    Type.Array(Type.Union(eventTopics.map((topic) => Type.Literal(topic))), {
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
};
const HookOptions = Type.Object(hookOptions);
export type HookOptions = Static<typeof HookOptions>;

/** The options among the settings of a hook. */
export function optionsOf(settings: HookOptions): HookOptions {
  const { events } = settings;
  return { ...(events && { events }) };
}

/** Whether a hook gets events of a kind. */
export function wantsEvent({ events = [...defaultTopics] }: HookOptions, kind: EventKind): boolean {
  return events.includes(topicOf(kind));
}
