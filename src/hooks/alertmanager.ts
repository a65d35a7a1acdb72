// Kind `alertmanager`: alerts for a Prometheus Alertmanager, which groups, silences and routes them.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../core/errors.ts";
import { formatDate } from "../core/time/time.ts";
import type { HookKind } from "./kind.ts";
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
export type AlertmanagerConfig = Static<typeof AlertmanagerConfig>;

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
  deliver: async (event, { url, labels, verify_ssl }, context) => {
    // The end of the anomaly resolves the alert; a level needs none.
    if (event.kind === "level_shift") return "sent";
    const alert = toAlert(event, { timezone: context.timezone, labels });
    const lifetime = { endsAt: formatDate(context.now() + LIFETIME_MS) };
    return postJson(
      {
        software: "alertmanager",
        url,
        suffix: "/api/v2/alerts",
        body: JSON.stringify([{ ...lifetime, ...alert }]),
        verify_ssl,
        // One of the operator's own servers, as buckets are; clients do not choose the path.
        publicOnly: false,
      },
      context,
    );
  },
};
