// Kind `alertmanager`: alerts for a Prometheus Alertmanager, which groups, silences and routes them.
import { type Static, Type } from "@sinclair/typebox";
import type { HookEvent } from "../core/anomaly/event.ts";
import { invalid } from "../core/errors.ts";
import { formatDate } from "../core/time/time.ts";
import type { HookKind, TextContext } from "./kind.ts";
import { toAlert } from "./shared/alert.ts";
import { httpSettings, postJson, urlSchema } from "./shared/http.ts";

/** Alertmanager resolves alerts that are not sent again. */
const RESEND_MS = 60_000;
/** Outlives a few failed resends. */
const LIFETIME_MS = 5 * RESEND_MS;

const labelName = /^(?!__)(?!model$)[a-zA-Z_][a-zA-Z0-9_]{0,255}$/;
const labelsRule = "must be texts by label name: letters, digits and _, not model";

const AlertmanagerConfig = Type.Object(
  {
    url: urlSchema("Base address, as in http://localhost:9093"),
    labels: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 1024 }), {
        maxProperties: 50,
        description: "Further labels, for routing; also in place of `alertname` and `severity`",
        rule: labelsRule,
      }),
    ),
    ...httpSettings,
  },
  { additionalProperties: false },
);
type AlertmanagerConfig = Static<typeof AlertmanagerConfig>;

export const alertmanager: HookKind<typeof AlertmanagerConfig> = {
  kind: "alertmanager",
  description: "Raises an alert in a Prometheus Alertmanager and resolves it (API v2)",
  config: AlertmanagerConfig,
  secrets: [],
  destination: ["url", "verify_ssl"],
  check: ({ labels = {} }, path) => {
    if (!Object.keys(labels).every((name) => labelName.test(name)))
      throw invalid(`${path}.labels`, labelsRule);
  },
  resendEveryMs: RESEND_MS,
  preview: (event, config, context) => {
    const alerts = toAlerts(event, config, context);
    return alerts && { text: JSON.stringify(alerts, null, 2) };
  },
  deliver: async (event, config, context) => {
    const { url, verify_ssl } = config;
    const alerts = toAlerts(event, config, context);
    if (!alerts) return "sent";
    return postJson(
      {
        software: "alertmanager",
        url,
        suffix: "/api/v2/alerts",
        body: JSON.stringify(alerts),
        verify_ssl,
        // One of the operator's own servers, as buckets are; clients do not choose the path.
        publicOnly: false,
      },
      context,
    );
  },
};

/** Undefined for levels: the end of the anomaly resolves the alert. */
function toAlerts(
  event: HookEvent,
  { labels }: AlertmanagerConfig,
  { timezone, now }: Pick<TextContext, "timezone" | "now">,
): readonly object[] | undefined {
  if (event.kind === "level_shift") return undefined;
  const lifetime = { endsAt: formatDate(now() + LIFETIME_MS) };
  return [{ ...lifetime, ...toAlert(event, { timezone, labels }) }];
}
