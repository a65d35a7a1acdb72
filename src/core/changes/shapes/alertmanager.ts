// Notifications of Alertmanager as changes (configuration, `webhook_config`): one per alert, complete once it is resolved.
import { type Body, bodyOf, type Draft, knownOf, pageOf, tagsOf, textOf, titleOf } from "./values.ts";

/** Kind of an alert that has no label `kind`. */
const KIND = "alert";
/** Letters of the id that follow the fingerprint. */
const notOfIds = /[^A-Za-z0-9_.:-]/g;

/** An alert without a name has no title. */
export function readAlerts({ alerts }: Body): readonly Draft[] {
  return (alerts as readonly unknown[]).map((alert) => readAlert(bodyOf(alert)));
}

function readAlert({
  status,
  labels,
  annotations,
  startsAt,
  endsAt,
  fingerprint,
  generatorURL,
}: Body): Draft {
  const { alertname, kind = KIND, ...tags } = bodyOf(labels);
  const { title, summary } = bodyOf(annotations);
  const [name, at] = [textOf(title, summary, alertname), textOf(startsAt)];
  const key = textOf(fingerprint);
  return knownOf({
    id: key && `alert-${key}-${at ?? ""}`.replace(notOfIds, "_"),
    at,
    // While it lasts, the end is in the future, or in the year 1.
    end: status === "resolved" ? textOf(endsAt) : undefined,
    kind,
    title: name && titleOf(name),
    tags: tagsOf(tags),
    url: pageOf(generatorURL),
  });
}
