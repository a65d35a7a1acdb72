// German for codes of the API, which says the same in English.
import type { HealthView } from "../../api/server/health.ts";
import type { DeliveryCode } from "../../core/anomaly/delivery-code.ts";
import type { ReadingCode } from "../../core/calendar/reading-code.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { NoProposalCode } from "../../core/report/proposal.ts";
import type { OddityFacts } from "./en.ts";

/** What is wrong, before the message of the server. */
export const problems: Readonly<Record<ErrorCode, string>> = {
  invalid: "Ungültig",
  unauthorized: "Nicht angemeldet",
  forbidden: "Nicht erlaubt",
  not_found: "Nicht gefunden",
  method_not_allowed: "Methode nicht erlaubt",
  misdirected: "Falscher Server",
  already_exists: "Gibt es schon",
  bucket_in_use: "Der Bucket wird benutzt",
  calendar_in_use: "Der Kalender wird benutzt",
  last_admin: "Der letzte Zugang mit Umfang admin",
  not_trained: "Nicht trainiert",
  not_supported: "Nicht unterstützt",
  no_data: "Keine Daten",
  too_little_data: "Zu wenige Daten",
  training_active: "Ein Training läuft schon",
  job_stopped: "Der Auftrag wurde beendet",
  precondition_failed: "Inzwischen geändert",
  canceled: "Abgebrochen",
  interrupted: "Unterbrochen",
  worker_crashed: "Ein Rechenprozess ist abgestürzt",
  weights_corrupt: "Die Gewichte sind beschädigt",
  too_large: "Zu groß",
  unsupported_media_type: "Dieses Format wird nicht gelesen",
  too_many_requests: "Zu viele Anfragen",
  internal: "Fehler im Server",
  bucket_rejected: "Der Bucket hat abgelehnt",
  bucket_auth: "Der Bucket verweigert den Zugang",
  bucket_unavailable: "Der Bucket antwortet nicht",
  bucket_damaged: "Der Bucket ist beschädigt",
  overloaded: "Der Server ist überlastet",
  deadline: "Es hat zu lange gedauert",
  storage_full: "Der Speicher ist voll",
  storage_unavailable: "Der Speicher ist nicht erreichbar",
};

/** Why a calendar was not read, before the message of the server. */
export const readings: Readonly<Record<ReadingCode, string>> = {
  unreachable: "Die Adresse ist nicht erreichbar",
  unauthorized: "Die Adresse verweigert den Zugang",
  rejected: "Die Adresse hat abgelehnt",
  deadline: "Die Adresse hat nicht rechtzeitig geantwortet",
  invalid: "Der Text ist kein gültiger Kalender",
  internal: "Fehler im Server",
};

/** Why a notification did not arrive, before the message of the server. */
export const deliveries: Readonly<Record<DeliveryCode, string>> = {
  unreachable: "Der Empfänger ist nicht erreichbar",
  unauthorized: "Der Empfänger verweigert den Zugang",
  rejected: "Der Empfänger hat abgelehnt",
  deadline: "Der Empfänger hat nicht rechtzeitig geantwortet",
  not_set_up: "Der Server ist dafür nicht eingerichtet",
  failed: "Das Programm ist gescheitert",
  internal: "Fehler im Server",
};

/** What is odd, by detector without its span. */
export const oddities: Readonly<Record<string, (facts: OddityFacts) => string>> = {
  network: () => "ungewöhnlich nach den Werten davor",
  linear: () => "ungewöhnlich nach den Werten davor",
  seasonal: () => "ungewöhnlich zu dieser Zeit des Tages oder der Woche",
  neighbours: ({ span }) => `ein ungewöhnlicher Verlauf der letzten ${span} Intervalle`,
  changes: ({ span }) => `eine ungewöhnliche Folge von Auf und Ab in den letzten ${span} Intervallen`,
  clock: () => "ungewöhnlich zu dieser Tageszeit",
  jump: () => "ein ungewöhnlicher Sprung",
  course: () => "seit Stunden abseits des Üblichen",
  still: () => "der Wert bewegt sich kaum",
  weekly: () => "ungewöhnlich zu dieser Zeit der Woche",
  hourly: () => "weiter vom Üblichen, als diese Stunde schwankt",
  quiet: () => "länger am kleinsten Wert als sonst zu dieser Zeit",
  busy: () => "länger über dem kleinsten Wert als sonst zu dieser Zeit",
  absent: () => "niedriger als je zu dieser Tageszeit",
  same: () => "länger derselbe Wert als sonst",
  height: () => "ein größerer Ausreißer als sonst",
  crowd: () => "mehr Ausreißer kurz hintereinander als sonst",
  joint: ({ beside }) =>
    `ungewöhnlich neben ${beside.length === 1 ? "dem Wert" : "den Werten"} von ${beside.join(" und ")}`,
};

/** By their names in `state.forecaster`. */
export const forecasters: Readonly<Record<string, string>> = {
  seasonal: "Saison",
  "holt-winters": "Holt-Winters",
  level: "Niveau",
  drift: "Niveau mit Steigung",
  line: "Gerade",
  bend: "Krümmung",
  "damped-trend": "gedämpfter Trend",
  theta: "Theta",
  repeat: "Wiederholung",
  "last values": "letzte Werte",
  donut: "Netz",
};

export const seasons: Readonly<Record<string, string>> = { day: "Tag", week: "Woche" };

/** Why a report proposes nothing. @param spared alarms that the settings in force would have spared, of all */
export const noProposals: Readonly<Record<NoProposalCode, (spared: number, total: number) => string>> = {
  model_deleted: () => "Das Modell ist gelöscht.",
  spared_by_settings: (spared, total) =>
    `Die jetzigen Einstellungen hätten ${spared} von ${total} Alarmen erspart.`,
  too_few_alarms: () => "Weniger als 3 Alarme, die nicht bestätigt sind, sind kein Muster.",
  none_spares_half: () =>
    "Kein höherer Beginn und keine Stummschaltung erspart die Hälfte von ihnen und keinen bestätigten: min_deviation oder min_duration vielleicht.",
};

/** Checks of the server. */
export const checks: Readonly<Record<keyof HealthView["checks"], string>> = {
  storage: "Speicher",
  live: "Überwachung",
  workers: "Rechenprozesse",
  connections: "Verbindungen",
  buckets: "Buckets",
  cluster: "Cluster",
};
