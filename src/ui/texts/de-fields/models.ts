// Descriptions of the settings of models in German, by the English text of the schema.

export const models: Readonly<Record<string, string>> = {
  "1 to 256 letters, digits, `_`, `.`, `:`, `@` or `-`; not `.` or `..` alone":
    "1 bis 256 Buchstaben, Ziffern, `_`, `.`, `:`, `@` oder `-`; nicht `.` oder `..` allein",
  "Days on which the window begins; absent: every day":
    "Tage, an denen die Zeitspanne beginnt; ohne Angabe: jeden Tag",
  "Local start time, `HH:MM`": "Beginn in Ortszeit, `HH:MM`",
  "Local end time, `HH:MM` or 24:00; if not after `from`, on the next day":
    "Ende in Ortszeit, `HH:MM` oder 24:00; nicht nach `from`: am nächsten Tag",
  "Start as a cron expression; instead of from and to": "Beginn als Cron-Ausdruck, statt from und to",
  "Duration of a window of `cron`": "Dauer einer Zeitspanne von `cron`",
  "Once, from now until this instant in ISO 8601; instead of from and to":
    "Einmal, von jetzt bis zu diesem Zeitpunkt in ISO 8601, statt from und to",
  "Model kind": "Art des Modells",
  "Series that it watches, each by itself and all together":
    "Reihen, die es beobachtet, jede für sich und alle zusammen",
  "1 to 256 letters, digits, `_`, `@` or `-`": "1 bis 256 Buchstaben, Ziffern, `_`, `@` oder `-`",
  "How the points of an interval become one number: avg, count, sum, max, 95percentile, ...; required without `query`":
    "Wie die Punkte eines Intervalls zu einer Zahl werden: avg, count, sum, max, 95percentile, ...; nötig ohne `query`",
  "Field of the points; required without `query`": "Feld der Punkte; nötig ohne `query`",
  "Measurement, where the bucket has several": "Messung, wenn der Bucket mehrere hat",
  "In place of metric, field, measurement and match_all, for buckets with a query language (PromQL, InfluxQL, SQL, Elasticsearch Query DSL): one value per interval. `{interval}`, `{from}` and `{to}` are filled in; the kinds of buckets say what it looks like":
    "Statt metric, field, measurement und match_all, für Buckets mit einer Abfragesprache (PromQL, InfluxQL, SQL, Elasticsearch Query DSL): ein Wert je Intervall. `{interval}`, `{from}` und `{to}` werden eingesetzt; wie sie aussieht, steht bei den Arten der Buckets",
  "In place of metric and field: the values are the burn rate of an error budget, 1 where exactly as much fails as the objective allows. `total` and one of `good` and `bad` are features of the model with the metric sum, count or rate, or with queries; `GET /budgets` says what is left":
    "Statt metric und field: Die Werte sind der Verbrauch eines Fehlerbudgets, 1, wenn genau so viel fehlschlägt, wie das Ziel erlaubt. `total` und eines von `good` und `bad` sind Merkmale des Modells mit der Metrik sum, count oder rate oder mit Abfragen; `GET /budgets` sagt, was übrig ist",
  "Share of `total` that is to be good, as 0.999 or `99.9%`":
    "Anteil von `total`, der gut sein soll, etwa 0.999 oder `99.9%`",
  "Rolling window of the objective": "Gleitender Zeitraum des Ziels",
  "What an empty interval becomes: a number, the previous value, or null for missing":
    "Was aus einem leeren Intervall wird: eine Zahl, der vorige Wert, oder null für fehlend",
  "Which deviations count": "Welche Abweichungen zählen",
  "Least possible value, as 0 of a count: forecasts and their bands stay at it or above":
    "Kleinster möglicher Wert, etwa 0 einer Anzahl: Vorhersagen und ihre Bänder bleiben dort oder darüber",
  "Greatest possible value, as 100 of a percentage: forecasts and their bands stay at it or below":
    "Größter möglicher Wert, etwa 100 eines Prozentwerts: Vorhersagen und ihre Bänder bleiben dort oder darunter",
  "What is full at: a number, or the name of the feature that has it, as the size of a disk beside what is used; `GET /capacity` says when it is reached. Default: a bound of `watch_forecast`, `max` or `min`, or the whole of a share":
    "Bei welchem Wert es voll ist: eine Zahl oder der Name des Merkmals mit diesem Wert, etwa die Größe einer Platte neben ihrer Belegung; `GET /capacity` sagt, wann er erreicht wird. Vorgabe: eine Grenze von `watch_forecast`, `max` oder `min`, oder das Ganze eines Anteils",
  "Unit of its values, after the metric, as in `GB`, `ms`, `%`, `ratio`, `{request}/s`: texts and the dashboard show it. Default: what the source says, or the name of the field; `1` shows plain numbers":
    "Einheit der Werte nach der Metrik, etwa `GB`, `ms`, `%`, `ratio`, `{request}/s`: Meldungen und Oberfläche zeigen sie. Vorgabe: was die Quelle oder der Name des Feldes sagt; `1` zeigt bloße Zahlen",
  "Least distance from the expected value at which a point starts an anomaly; where both are given, both must be reached":
    "Kleinster Abstand vom erwarteten Wert, bei dem ein Punkt eine Anomalie beginnt; sind beide angegeben, müssen beide erreicht sein",
  "In units of the data": "In der Einheit der Daten",
  "Share of the expected value: 0.1 is 10 %": "Anteil des erwarteten Werts: 0.1 ist 10 %",
  "Values at which a point may start an anomaly, in units of the data; both limits must hold":
    "Werte, bei denen ein Punkt eine Anomalie beginnen darf, in der Einheit der Daten; beide Grenzen müssen gelten",
  "The value must be higher": "Der Wert muss höher sein",
  "The value must be lower": "Der Wert muss niedriger sein",
  "Tags the points must carry": "Tags, die die Punkte haben müssen",
  "Tag name": "Name des Tags",
  "Value the tag must have": "Wert, den der Tag haben muss",
  "Another bucket to read this feature from": "Ein anderer Bucket, aus dem dieses Merkmal gelesen wird",
  "Bucket the model reads from": "Bucket, aus dem das Modell liest",
  "Length of one interval; `auto` is chosen at each training, by how far apart the points lie, and shown as `state.bucket_interval`":
    "Länge eines Intervalls; `auto` richtet sich bei jedem Training nach dem Abstand der Punkte und steht als `state.bucket_interval` im Zustand",
  "Tags: each combination of their values is a series of its own, with its own ranks, thresholds and anomalies; all share one network per feature":
    "Tags: Jede Kombination ihrer Werte ist eine eigene Reihe mit eigenen Rängen, Schwellen und Anomalien; alle teilen ein Netz je Merkmal",
  "Series that a model with `group_by` watches; further ones are counted in `state`":
    "So viele Reihen überwacht ein Modell mit `group_by`; weitere werden im Zustand gezählt",
  "Time without a point after which a series of a model with `group_by` is forgotten":
    "Zeit ohne Punkt, nach der eine Reihe eines Modells mit `group_by` vergessen wird",
  "Compare each series of `group_by` with the others of the same instant, too; where most of them move together, that is one anomaly of the fleet":
    "Jede Reihe von `group_by` auch mit den anderen desselben Zeitpunkts vergleichen; bewegen sich die meisten zugleich, ist das eine einzige Anomalie aller Reihen",
  "Period of live prediction (default: bucket_interval)":
    "Abstand der laufenden Auswertungen (Vorgabe: bucket_interval)",
  "How far behind now a live window ends, for points that arrive late; `auto` grows to what they need, up to an hour, and begins anew with each start: `live.offset` shows it":
    "Wie weit vor jetzt die laufende Auswertung endet, für Punkte, die spät ankommen; `auto` wächst nach Bedarf bis zu einer Stunde und beginnt mit jedem Start neu: `live.offset` zeigt den Wert",
  "Window length in intervals; `auto`: the longest of 120, 96, 48, 24, 12 and 8 that the training range holds four times, from min_span to max_span":
    "Länge des Fensters in Intervallen; `auto`: die größte von 120, 96, 48, 24, 12 und 8, die viermal in den Trainingszeitraum passt, von min_span bis max_span",
  "Shortest window an automatic span may have": "Kürzestes Fenster einer automatischen Länge",
  "Longest window an automatic span may have": "Längstes Fenster einer automatischen Länge",
  "Hyper-parameter trials of a training; of a fleet 3 by default":
    "Versuche eines Trainings mit verschiedenen Hyperparametern; bei `group_by` ist 3 die Vorgabe",
  "Default horizon of a forecast, in intervals": "Übliche Länge einer Vorhersage, in Intervallen",
  "Forecaster: `donut` the network, `seasonal` the values at this time of earlier days and weeks, `holt-winters`; `auto` the combination of them that forecasts the end of the training range best":
    "Verfahren: `donut` das Netz, `seasonal` die Werte früherer Tage und Wochen zur selben Zeit, `holt-winters`; `auto` die Kombination, die das Ende des Trainingszeitraums am besten vorhersagt",
  "An anomaly starts when the score exceeds it; 0 or absent = automatic, but not below min_threshold":
    "Eine Anomalie beginnt, wenn der Score darüber liegt; 0 oder ohne Angabe: automatisch, aber nicht unter min_threshold",
  "An anomaly ends when the score falls below it; 0 or absent = automatic: with a max_threshold, its automatic share of that, half where score_scale is rarity":
    "Eine Anomalie endet, wenn der Score darunter fällt; 0 oder ohne Angabe: automatisch, mit max_threshold der automatische Anteil davon, die Hälfte bei score_scale rarity",
  "Time after an anomaly in which no other starts": "Zeit nach einer Anomalie, in der keine weitere beginnt",
  "Consecutive intervals above max_threshold that start an anomaly":
    "So viele Intervalle in Folge über max_threshold beginnen eine Anomalie",
  "An anomaly starts once `n` of the last `of` scored intervals are above max_threshold, this one included; `{n: k, of: k}` is `min_duration: k`, so that only one of the two may be given":
    "Eine Anomalie beginnt, wenn `n` der letzten `of` bewerteten Intervalle über max_threshold liegen, dieses eingeschlossen; `{n: k, of: k}` ist `min_duration: k`, daher nur eines von beiden",
  "How many of them must be above max_threshold": "Wie viele davon über max_threshold liegen müssen",
  "Number of intervals looked at, at least n; those without a score do not count":
    "Zahl der betrachteten Intervalle, mindestens n; solche ohne Score zählen nicht",
  "Anomalies per week of the model that automatic thresholds accept on normal data; of slow series fewer: at most this many in 168 points of a feature, with intervals of a day or longer in 500":
    "Anomalien des Modells je Woche, die automatische Schwellen bei normalen Daten zulassen; bei langsamen Reihen weniger: höchstens so viele in 168 Punkten eines Merkmals, bei Intervallen ab einem Tag in 500",
  "`fleet`: the series of `group_by` share `expected_false_alarms` equally, by their number at the last training; `series`: each may have that many":
    "`fleet`: Die Reihen von `group_by` teilen sich `expected_false_alarms` zu gleichen Teilen, nach ihrer Zahl beim letzten Training; `series`: jede darf so viele haben",
  "`ensemble`: the network with its companions; `auto`: as `ensemble`, and detection starts without a training: with the companions from 30 points on, with the network as soon as its window fits four times; `vae`: the network alone, as in the paper":
    "`ensemble`: das Netz mit weiteren Verfahren; `auto`: wie `ensemble`, und die Erkennung beginnt ohne Training: mit den weiteren Verfahren ab 30 Punkten, mit dem Netz, sobald sein Fenster viermal passt; `vae`: das Netz allein, wie im Artikel",
  "`rarity`: by how rarely normal points are this anomalous; `sigma`: 100 (2 Phi(|z|) - 1), as thresholds such as 99.7 are meant":
    "`rarity`: danach, wie selten normale Punkte so auffällig sind; `sigma`: 100 (2 Phi(|z|) - 1), wie Schwellen von etwa 99.7 gemeint sind",
  "Trains the model again and again, as a scheduled job of its own":
    "Trainiert das Modell immer wieder, als eigener Zeitplan",
  "When it runs": "Wann es läuft",
  "Every how many units": "Alle wie viele Einheiten",
  "second(s), minute(s), hour(s), day(s), week(s), monday..sunday":
    "second(s), minute(s), hour(s), day(s), week(s), monday bis sunday",
  "`:SS` within a minute, `:MM` or `MM:SS` within an hour, `HH:MM` or `HH:MM:SS` within a day":
    "`:SS` in der Minute, `:MM` oder `MM:SS` in der Stunde, `HH:MM` oder `HH:MM:SS` am Tag",
  "Cron text of five or six fields, in place of unit, count and at":
    "Cron-Ausdruck aus fünf oder sechs Feldern, statt unit, count und at",
  "IANA time zone of times of day and of cron; absent: the server's":
    "IANA-Zeitzone der Uhrzeiten und von cron; ohne Angabe: die des Servers",
  "Length of the training range, up to now": "Länge des Trainingszeitraums bis jetzt",
  "Hyper-parameter trials; default: those of the model":
    "Versuche mit verschiedenen Hyperparametern; Vorgabe: die des Modells",
  "Go on from the current version instead of starting anew":
    "Mit der jetzigen Version weitermachen, statt neu zu beginnen",
  "Keep the current version where the new one is clearly worse on the last days":
    "Die jetzige Version behalten, wenn die neue bei den letzten Tagen klar schlechter ist",
  "Age of the newest point, beyond `offset`, from which the hooks of `silence` are notified and the state is `no_data`; `auto`: three intervals or usual gaps between points, at least 5 minutes: `live.silence_after` shows it; without the setting the state follows `auto`, and no hook is notified":
    "Alter des neuesten Punkts über `offset` hinaus, ab dem die Hooks von `silence` gerufen werden und der Zustand `no_data` ist; `auto`: drei Intervalle oder übliche Abstände der Punkte, mindestens 5 Minuten: `live.silence_after` zeigt den Wert; ohne Angabe richtet sich der Zustand nach `auto`, und kein Hook wird gerufen",
  "Bounds whose breach by a forecast the hooks of `forecast` are notified of, while live":
    "Grenzen, deren vorhergesagtes Überschreiten den Hooks von `forecast` gemeldet wird, solange das Modell live ist",
  "Name of the feature": "Name des Merkmals",
  "Bound that the forecast must not exceed": "Grenze, die die Vorhersage nicht überschreiten darf",
  "Bound that it must not fall below; one of both is needed":
    "Grenze, die sie nicht unterschreiten darf; eine von beiden ist nötig",
  "How far ahead a breach is announced": "Wie weit im Voraus gemeldet wird",
  "Time between two forecasts": "Zeit zwischen zwei Vorhersagen",
  "Times without notifications; detection continues": "Zeiten ohne Meldungen; erkannt wird weiter",
  "Name of a calendar: its events are the windows; instead of from and to":
    "Name eines Kalenders: Seine Ereignisse sind die Zeitspannen, statt from und to",
  "IANA time zone; absent: the model's, and without one UTC":
    "IANA-Zeitzone; ohne Angabe: die des Modells, sonst UTC",
  "Of a model with `group_by`, the series that are muted: values of tags, all of which must match; `*` stands for any text. Absent: all series":
    "Bei einem Modell mit `group_by` die stummen Reihen: Werte von Tags, die alle passen müssen; `*` steht für beliebigen Text. Ohne Angabe: alle Reihen",
  "Calendar conditions of the network, in `timezone`: from the next training on, each if its range has two cycles; `state.conditions` shows them":
    "Kalenderangaben für das Netz, in `timezone`: ab dem nächsten Training, jede, wenn dessen Zeitraum zwei Perioden hat; `state.conditions` zeigt sie",
  "The time of day is an input of the network": "Die Tageszeit ist eine Eingabe des Netzes",
  "The day of the week is an input of the network, and each day has usual values of its own; false: days of the week are not distinguished":
    "Der Wochentag ist eine Eingabe des Netzes, und jeder Tag hat eigene übliche Werte; false: Wochentage werden nicht unterschieden",
  "Days that are like weekends, if that predicts those of the training range better; takes effect at once":
    "Tage, die wie Wochenenden sind, wenn das die des Trainingszeitraums besser vorhersagt; wirkt sofort",
  "ISO 3166 code of the country whose public holidays count":
    "ISO-3166-Kürzel des Landes, dessen Feiertage zählen",
  "State or region of the country, for example `BE` for Berlin in DE":
    "Bundesland oder Region, etwa `BE` für Berlin in DE",
  "Text of an iCalendar file: the days of its events count, also of repeated ones":
    "Text einer iCalendar-Datei: Die Tage ihrer Ereignisse zählen, auch die wiederholter",
  "Name of a calendar, in place of ical: the days of its events count":
    "Name eines Kalenders, statt ical: Die Tage seiner Ereignisse zählen",
  "Events that make the series unlike itself, such as a sale or maintenance: trainings leave them out, no anomaly starts in them and nothing is notified; scores stay. Takes effect at once, on trainings with the next one":
    "Ereignisse, in denen die Reihe anders ist als sonst, etwa ein Ausverkauf oder eine Wartung: Trainings lassen sie aus, keine Anomalie beginnt darin, und nichts wird gemeldet; Scores bleiben. Wirkt sofort, beim Training mit dem nächsten",
  "Name of the calendar that holds them": "Name des Kalenders mit diesen Ereignissen",
  "IANA time zone of days and weeks, in detection and in forecasts":
    "IANA-Zeitzone der Tage und Wochen, bei Erkennung und Vorhersage",
  "Greatest value": "Größter Wert",
  "A number in JSON": "Eine Zahl in JSON",
  intervals: "Intervalle",
};
