// A change that may have caused an anomaly, with the delay from one to the other.
import type { AttributedChangeView } from "../../../api/changes/attribution.ts";
import { nameOfChange } from "../../../core/changes/name.ts";
import { formatSpan } from "../../lib/format.ts";
import { texts } from "../../state/preferences.ts";

/** Seconds; a delay below is not told. */
const MINUTE = 60;

/** `4 min after deploy web 1.9.2`, with a link where the change has one. */
export function AfterChange({ change }: { change: AttributedChangeView }) {
  const { justAfter, spanAfter } = texts.value.detail;
  const { delay } = change;
  return (
    <>
      {delay < MINUTE ? justAfter : spanAfter(formatSpan(delay * 1000))} <ChangeName change={change} />
    </>
  );
}

export function ChangeName({ change }: { change: Pick<AttributedChangeView, "kind" | "title" | "url"> }) {
  const name = nameOfChange(change);
  return change.url === undefined ? <b>{name}</b> : <a href={change.url}>{name}</a>;
}
