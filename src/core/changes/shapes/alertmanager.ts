// Notifications of Alertmanager as changes (configuration, `webhook_config`): one per alert, complete once it is resolved.
import { invalid } from "../../errors.ts";
import {
  type Body,
  bodyOf,
  type Draft,
  endOf,
  kindOf,
  knownOf,
  pageOf,
  tagsOf,
  textOf,
  titleOf,
} from "./values.ts";

/** Kind of an alert that has no label `kind`. */
const KIND = "alert";
/** Letters of the id that follow the fingerprint. */
const notOfIds = /[^A-Za-z0-9_.:-]/g;

/**
 * Grafana's alerting sends the same.
 * @param place of the notification in a list, for messages
 * @throws TorusError `invalid` for an alert without a name
 */
export function readAlerts({ alerts }: Body, place = ""): readonly Draft[] {
  const path = place === "" ? "alerts" : `${place}.alerts`;
  return (alerts as readonly unknown[]).map((alert, i) => readAlert(bodyOf(alert), `${path}.${i}`));
}

function readAlert(
  { status, labels, annotations, startsAt, endsAt, fingerprint, generatorURL }: Body,
  path: string,
): Draft {
  const { alertname, ...others } = bodyOf(labels);
  const { kind: _, ...withoutKind } = others;
  const kind = kindOf(others.kind);
  const { title, summary } = bodyOf(annotations);
  const [name, at] = [textOf(title, summary, alertname), textOf(startsAt)];
  if (name === undefined) throw invalid(`${path}.labels.alertname`, "is required: it names the alert");
  const key = textOf(fingerprint);
  return knownOf({
    id: key && `alert-${key}-${at ?? ""}`.replace(notOfIds, "_"),
    at,
    // While it lasts, the end is in the future, or in the year 1.
    end: status === "resolved" ? endOf(at, endsAt) : undefined,
    kind: kind ?? KIND,
    title: titleOf(name),
    tags: tagsOf(kind === undefined ? others : withoutKind),
    url: pageOf(generatorURL),
  });
}
