// Descriptions of the kinds of hooks and their settings in German, by the English text of the schema.

export const hooks: Readonly<Record<string, string>> = {
  "Display name": "Angezeigter Name",
  "Mail address": "Die Mailadresse",
  "One recipient, or a list of them": "Ein Empfänger oder eine Liste von Empfängern",
  "Texts of the messages, each with a default": "Texte der Nachrichten, jeder mit einer Vorgabe",
  "Subject; placeholders `{model}` and so on": "Betreff; mit Platzhaltern wie `{model}`",
  "Text; the same placeholders": "Text; mit denselben Platzhaltern",
  "Events that the hook gets: `anomaly` its start and end, `level_shift` a step to another level, `silence` points that stop and return, `source` a data source that cannot be read and can be again, `forecast` a bound that a forecast will break, `drift` a series that has changed since its training":
    "Ereignisse für den Hook: `anomaly` Beginn und Ende, `level_shift` ein Sprung auf ein anderes Niveau, `silence` Punkte, die ausbleiben und wiederkommen, `source` eine Datenquelle, die nicht und wieder gelesen werden kann, `forecast` eine Grenze, die laut Vorhersage überschritten wird, `drift` eine Reihe, die sich seit dem Training verändert hat",
  "Time in which events that begin together are collected into one notification; default 30s where another setting of groups is given, else events are not grouped":
    "Zeit, in der zugleich beginnende Ereignisse zu einer Meldung gesammelt werden; Vorgabe: 30s, wenn eine andere Angabe zu Gruppen da ist, sonst wird nicht gesammelt",
  "Time between two notifications of a group": "Zeit zwischen zwei Meldungen einer Gruppe",
  "Tags whose values part the events into groups, as in `host`; default: one group":
    "Tags, nach deren Werten Ereignisse in Gruppen geteilt werden, etwa `host`; Vorgabe: eine Gruppe",
  "Times in which the hook notifies nobody; what lasts longer is announced afterwards":
    "Zeiten, in denen der Hook niemanden benachrichtigt; was länger dauert, wird danach gemeldet",
  "IANA time zone; absent: UTC": "IANA-Zeitzone; ohne Angabe: UTC",
  "Sent by dashboards; stored": "Von Dashboards gesendet; wird gespeichert",
  "Tag `type` of the annotations": "Tag `type` der Anmerkungen",
  "Text of the annotations": "Text der Anmerkungen",
  "URL that events are sent to": "Adresse (URL), an die Ereignisse gesendet werden",
  "Key of the signature in `X-Torus-Signature: sha256=<HMAC of the body, hex>`":
    "Schlüssel der Signatur in `X-Torus-Signature: sha256=<HMAC des Inhalts, hex>`",
  "Further headers, such as for authentication": "Weitere Kopfzeilen, etwa zur Anmeldung",
  "Body in place of Alertmanager's format: JSON, whose texts may hold placeholders":
    "Inhalt statt der Form von Alertmanager: JSON, dessen Texte Platzhalter enthalten dürfen",
  "The same for events that end something; default: `body`":
    "Dasselbe für Ereignisse, die etwas beenden; Vorgabe: `body`",
  "URL for events that end something, at the same host; default: `url`; with `body` only":
    "Adresse für Ereignisse, die etwas beenden, beim selben Host; Vorgabe: `url`; nur mit `body`",
  "How `body` is sent: as JSON, or as the fields of a form":
    "Wie `body` gesendet wird: als JSON oder als Felder eines Formulars",
  "Secrets for `body` and the URLs, where `{values.NAME}` stands for one":
    "Geheime Werte für `body` und die Adressen; `{values.NAME}` steht dort für einen",
  "Base address, as in http://localhost:9093": "Grundadresse, etwa http://localhost:9093",
  "Further labels, for routing; also in place of `alertname` and `severity`":
    "Weitere Labels, zur Verteilung; auch statt `alertname` und `severity`",
  "URL of the incoming webhook; it grants permission to write":
    "Adresse des eingehenden Webhooks; sie erlaubt das Schreiben",
  "Texts of the events, each with a default": "Texte der Ereignisse, jeder mit einer Vorgabe",
  "Text; placeholders `{kind}`, `{episode}`, `{model}`, `{score}`, `{severity}`, `{date}`, `{predicted}`, `{observed}`, `{reason}`, `{bucket}`, `{metric}`, `{field}`, `{tags}`, `{series}`, `{lower}`, `{upper}`, `{expected}`, `{factor}`, `{direction}`, `{since}`, `{duration}`, `{level}`, `{level_before}`, `{change}`, `{cause}`, `{budget}`, `{title}`, `{summary}`, `{description}`, `{url}`, `{tag.NAME}`":
    "Text; Platzhalter `{kind}`, `{episode}`, `{model}`, `{score}`, `{severity}`, `{date}`, `{predicted}`, `{observed}`, `{reason}`, `{bucket}`, `{metric}`, `{field}`, `{tags}`, `{series}`, `{lower}`, `{upper}`, `{expected}`, `{factor}`, `{direction}`, `{since}`, `{duration}`, `{level}`, `{level_before}`, `{change}`, `{cause}`, `{budget}`, `{title}`, `{summary}`, `{description}`, `{url}`, `{tag.NAME}`",
  "URL of the workflow's webhook; it grants permission to write":
    "Adresse des Webhooks der Workflow-App; sie erlaubt das Schreiben",
  "Address of the server, without the topic": "Adresse des Servers, ohne das Topic",
  "Topic; a secret, since it is all that a subscriber of a public server needs":
    "Topic; geheim, denn mehr braucht ein Abonnent eines öffentlichen Servers nicht",
  "Access token, for servers with access control": "Zugriffstoken, für Server mit Zugriffskontrolle",
  "Priority of the start of an anomaly, 1 (min) to 5 (max); its end has 3":
    "Priorität des Beginns einer Anomalie, 1 (min) bis 5 (max); ihr Ende hat 3",
  "Topic of an event: `{model}`, `{subject}` (`anomaly`, `silence`, ...), `{series}` and `{hook}` are replaced; a level `{series}` is left out where the event is of the whole model":
    "Topic eines Ereignisses: `{model}`, `{subject}` (`anomaly`, `silence`, ...), `{series}` und `{hook}` werden ersetzt; eine Ebene `{series}` entfällt, wenn das Ereignis das ganze Modell betrifft",
  "Topic that is `online` while this server is connected, and `offline` otherwise: its last will":
    "Topic, das `online` ist, solange dieser Server verbunden ist, und sonst `offline`: sein Last Will",
  "First level of Home Assistant's discovery, `homeassistant` by its default: each model of the hook becomes a device; absent: none does":
    "Erste Ebene der Discovery von Home Assistant, dort üblich `homeassistant`: Jedes Modell des Hooks wird ein Gerät; ohne Angabe: keines",
  "Topic of the state of a device, retained: `{model}` is replaced":
    "Topic des Zustands eines Geräts, wird aufgehoben (retained): `{model}` wird ersetzt",
  "Program; one of `hooks.exec.allow` of the server's settings":
    "Programm; eines von `hooks.exec.allow` der Einstellungen des Servers",
  Arguments: "Argumente des Programms",
  "Sends a mail through the mail server of the settings":
    "Sendet eine Mail über den Mailserver der Einstellungen",
  "Writes an annotation per anomaly into an influxdb or local bucket":
    "Schreibt zu jeder Anomalie eine Anmerkung in einen Bucket der Art influxdb oder local",
  "Sends JSON in the shape of Alertmanager's webhooks (version 4), or a body of your own":
    "Sendet JSON in der Form der Webhooks von Alertmanager (Version 4) oder einen eigenen Inhalt",
  "Raises an alert in a Prometheus Alertmanager and resolves it (API v2)":
    "Meldet einen Alarm bei einem Prometheus Alertmanager und beendet ihn (API v2)",
  "Writes into a channel through an incoming webhook":
    "Schreibt über einen eingehenden Webhook in einen Kanal",
  "Writes a card into a chat or channel of Microsoft Teams through the webhook of a workflow":
    "Schreibt über den Webhook eines Workflows eine Karte in einen Chat oder Kanal von Microsoft Teams",
  "Publishes push notifications to a topic of an ntfy server":
    "Veröffentlicht Push-Nachrichten in einem Topic eines ntfy-Servers",
  "Publishes the last event of each model to an MQTT broker, retained, with QoS 1":
    "Veröffentlicht das letzte Ereignis jedes Modells bei einem MQTT-Broker, aufgehoben (retained), mit QoS 1",
  "Runs a program on the server's machine, one of `hooks.exec.allow`":
    "Startet ein Programm auf dem Rechner des Servers, eines von `hooks.exec.allow`",
};
