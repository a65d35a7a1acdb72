// Descriptions of the kinds of buckets and their settings in German, by the English text of the schema.

export const buckets: Readonly<Record<string, string>> = {
  "Field or column that holds the time, where the kind has one":
    "Feld oder Spalte mit der Zeit, wenn die Art eines hat",
  "Measurement to write to and read from where none is named; absent: read from all":
    "Messung, die geschrieben und gelesen wird, wenn keine genannt ist; ohne Angabe: alle werden gelesen",
  "Points older than this are not returned, and deleted by later writes. Such points are not stored either: the result of a write job has their number as `dropped`, line protocol answers `points beyond retention policy`. Absent: points are kept forever":
    "Ältere Punkte werden nicht gelesen und beim nächsten Schreiben gelöscht. Sie werden auch nicht gespeichert: Das Ergebnis eines Schreibauftrags nennt ihre Zahl als `dropped`, Line Protocol antwortet `points beyond retention policy`. Ohne Angabe bleiben Punkte für immer",
  "`host`, `host:port` (default port 8086) or `http(s)://host:port[/path]`":
    "`host`, `host:port` (Vorgabe: Port 8086) oder `http(s)://host:port[/path]`",
  "Database; for InfluxDB 2 and 3 the one mapped to the bucket":
    "Datenbank; bei InfluxDB 2 und 3 die dem Bucket zugeordnete",
  "Measurement to write to and read from where a feature names none":
    "Messung, die geschrieben und gelesen wird, wenn ein Merkmal keine nennt",
  "Retention policy; absent: the default one of the database":
    "Retention Policy; ohne Angabe: die übliche der Datenbank",
  "Create the database when points are written and it is missing":
    "Die Datenbank anlegen, wenn sie beim Schreiben fehlt",
  "User name": "Benutzername",
  Password: "Das Passwort",
  "Token of InfluxDB 2 or 3, in place of user and password":
    "Token von InfluxDB 2 oder 3, statt Benutzer und Passwort",
  "Speak TLS; `https://` in the address means the same":
    "TLS verwenden; `https://` in der Adresse bedeutet dasselbe",
  "Refuse a certificate that does not verify": "Ein Zertifikat ablehnen, das sich nicht prüfen lässt",
  "PEM file of authorities to trust in place of the system's":
    "PEM-Datei der Zertifizierungsstellen, statt derer des Systems",
  "PEM file with the client's certificate": "PEM-Datei mit dem Zertifikat des Clients",
  "PEM file with the key of the client's certificate":
    "PEM-Datei mit dem Schlüssel zum Zertifikat des Clients",
  "Timeout of one request": "Längste Dauer einer Anfrage",
  "Database that annotations of anomalies are written to": "Datenbank für Anmerkungen zu Anomalien",
  "`host`, `host:port` (default port 9090) or `http(s)://host:port[/path]`":
    "`host`, `host:port` (Vorgabe: Port 9090) oder `http(s)://host:port[/path]`",
  "Bearer token, in place of user and password": "Bearer-Token, statt Benutzer und Passwort",
  "Tenant, sent as `X-Scope-OrgID` (Mimir, Cortex, Thanos receivers)":
    "Mandant, gesendet als `X-Scope-OrgID` (Mimir, Cortex, Thanos)",
  "Start of the names of metrics that predictions are saved as; may be empty":
    "Beginn der Metriknamen gespeicherter Auswertungen; darf leer sein",
  "`host` or `host:port` (default port 5432)": "`host` oder `host:port` (Vorgabe: Port 5432)",
  Database: "Die Datenbank",
  "Schema of the table; absent: the search path decides":
    "Schema der Tabelle; ohne Angabe entscheidet der Suchpfad",
  "Table or view with a row per point": "Tabelle oder Sicht mit einer Zeile je Punkt",
  "SELECT to read from in place of `table`; its columns are times, fields and tags":
    "SELECT, das statt `table` gelesen wird; seine Spalten sind Zeiten, Felder und Tags",
  "Column with the time: a timestamp, a date, or a number in `time_unit`":
    "Spalte mit der Zeit: Zeitstempel, Datum oder eine Zahl in `time_unit`",
  "Unit of a time column that is a number: s, ms, us or ns":
    "Einheit einer Zeitspalte aus Zahlen: s, ms, us oder ns",
  "Columns whose values identify a series, for `rate` and `derivative`, which are computed per series and summed; absent: all points of a measurement are one series":
    "Spalten, deren Werte eine Reihe bestimmen, für `rate` und `derivative`, die je Reihe berechnet und summiert werden; ohne Angabe sind alle Punkte einer Messung eine Reihe",
  "Column with the measurement; absent: features name none":
    "Spalte mit der Messung; ohne Angabe nennen Merkmale keine",
  "Whether points may be written, as rows of `table`":
    "Ob Punkte geschrieben werden dürfen, als Zeilen von `table`",
  "Timeout of one statement": "Längste Dauer einer Anweisung",
  "File or folder below `storage.data_root` of the server; of a folder the .csv and .tsv files, also as .gz":
    "Datei oder Ordner unter `storage.data_root` des Servers; aus einem Ordner die Dateien .csv und .tsv, auch als .gz",
  "Column with the time": "Spalte mit der Zeit",
  "`auto`, `iso`, `s`, `ms`, `us`, `ns`, `excel` (days of a spreadsheet), or a pattern such as `%d/%m/%Y %H:%M`; times without an offset are UTC":
    "`auto`, `iso`, `s`, `ms`, `us`, `ns`, `excel` (Tage einer Tabellenkalkulation) oder ein Muster wie `%d/%m/%Y %H:%M`; Zeiten ohne Zone sind UTC",
  "Separator of cells; absent: detected from the first line":
    "Trennzeichen der Zellen; ohne Angabe aus der ersten Zeile erkannt",
  "Names of the columns, for files without a header line": "Namen der Spalten, für Dateien ohne Kopfzeile",
  "Field that holds the time, of type date": "Feld mit der Zeit, vom Typ date",
  "`host`, `host:port` (default port 9200) or `http(s)://host:port[/path]`":
    "`host`, `host:port` (Vorgabe: Port 9200) oder `http(s)://host:port[/path]`",
  "Index to read from; points are written to it with `*` replaced by the day, as in 2024.01.31":
    "Index, der gelesen wird; geschrieben wird in denselben mit dem Tag anstelle von `*`, etwa 2024.01.31",
  "Fields whose values identify a series, for `rate` and `derivative`, which are computed per series and summed; absent: all points of a measurement are one series":
    "Felder, deren Werte eine Reihe bestimmen, für `rate` und `derivative`, die je Reihe berechnet und summiert werden; ohne Angabe sind alle Punkte einer Messung eine Reihe",
  "Routing value of searches and writes": "Routing-Wert beim Lesen und Schreiben",
  "Shards of an index that is created": "Shards eines Index, der angelegt wird",
  "Replicas of an index that is created": "Replikate eines Index, der angelegt wird",
  "API key, encoded or as `id:key`, in place of user and password":
    "API-Schlüssel, kodiert oder als `id:key`, statt Benutzer und Passwort",
  "Host of the domain, reached by TLS on port 443": "Host der Domain, über TLS an Port 443",
  "Region of the domain": "Region der Domain",
  "Service that requests are signed for; `aoss` for a serverless collection":
    "Dienst, für den Anfragen signiert werden; `aoss` für eine Serverless-Sammlung",
  "Id of the access key": "Id des Zugriffsschlüssels",
  "Secret access key": "Geheimer Zugriffsschlüssel",
  "Session token of temporary credentials": "Sitzungstoken zeitlich begrenzter Zugangsdaten",
  "`host`, `host:port` (default port 8123) or `http(s)://host:port[/path]`":
    "`host`, `host:port` (Vorgabe: Port 8123) oder `http(s)://host:port[/path]`",
  "Table to read from and write to; fields and tags are columns of it, best nullable ones":
    "Tabelle zum Lesen und Schreiben; Felder und Tags sind ihre Spalten, am besten solche, die NULL erlauben",
  "Column that holds the time, of type DateTime or DateTime64":
    "Spalte mit der Zeit, vom Typ DateTime oder DateTime64",
  "`host`, `host:port` (default port 4242) or `http(s)://host:port[/path]`":
    "`host`, `host:port` (Vorgabe: Port 4242) oder `http(s)://host:port[/path]`",
  "Value of the tag `loudml` of every written point": "Wert des Tags `loudml` jedes geschriebenen Punkts",
  "`http(s)://host:port[/path]`; without a path that of the API, `/api/v0`":
    "`http(s)://host:port[/path]`; ohne Pfad der der API, `/api/v0`",
  "Read token": "Token zum Lesen",
  "Write token; absent: the bucket is read-only": "Token zum Schreiben; ohne Angabe wird nur gelesen",
  "Prefix of every class, followed by a dot": "Präfix jeder Klasse, danach ein Punkt",
  "Field that holds the time": "Feld mit der Zeit",
  "`host` or `host:port` (default port 27017); those of a replica set separated by commas":
    "`host` oder `host:port` (Vorgabe: Port 27017); die eines Replica Sets durch Kommas getrennt",
  "Collection to read from and write to": "Sammlung zum Lesen und Schreiben",
  "Representation of the time: seconds or milliseconds since the epoch, or a date":
    "Form der Zeit: Sekunden oder Millisekunden seit 1970, oder ein Datum",
  "Database of the user; absent: admin": "Datenbank des Benutzers; ohne Angabe: admin",
  "Name of the replica set": "Name des Replica Sets",
  "`host` or `host:port` of the broker; default port 1883, with `use_ssl` 8883":
    "`host` oder `host:port` des Brokers; Vorgabe: Port 1883, mit `use_ssl` 8883",
  "Speak TLS": "TLS verwenden",
  "What is subscribed to; of several that match the first one counts":
    "Was abonniert wird; passen mehrere, zählt das erste",
  "Topics to subscribe to: `{name}` is a level that becomes the tag `name`, `{field}` and `{measurement}` one that names these, `+` any level, `#` any rest":
    "Abonnierte Topics: `{name}` ist eine Ebene, die zum Tag `name` wird, `{field}` und `{measurement}` eine, die diese benennt, `+` eine beliebige Ebene, `#` ein beliebiger Rest",
  "Payload: a `number` (also true, false, on and off), `json` with numbers in it, or `lines` of line protocol":
    "Inhalt: eine Zahl (`number`, auch true, false, on und off), `json` mit Zahlen darin, oder Zeilen von Line Protocol (`lines`)",
  "Measurement of the points; absent: none": "Messung der Punkte; ohne Angabe: keine",
  "Field of a number; by default the level `{field}`, otherwise `value`":
    "Feld einer Zahl; Vorgabe: die Ebene `{field}`, sonst `value`",
  "Paths of the numbers to take from JSON, as in `power.now`; absent: all, also in texts, but those in lists":
    "Pfade der Zahlen im JSON, etwa `power.now`; ohne Angabe: alle, auch in Texten, aber nicht die in Listen",
  "Path of the time in JSON, a number or a date; absent: the time of arrival":
    "Pfad der Zeit im JSON, Zahl oder Datum; ohne Angabe: die Zeit der Ankunft",
  "Time zone of dates in JSON that name none, as the clock of Tasmota; absent: UTC":
    "Zeitzone von Daten im JSON, die keine nennen, etwa die Uhr von Tasmota; ohne Angabe: UTC",
  "Unit of times that are numbers; by default s in JSON and ns in lines":
    "Einheit von Zeiten, die Zahlen sind; Vorgabe: s in JSON und ns in Zeilen",
  "1: messages are acknowledged once they are stored; 0: they are lost where one of the two is away":
    "1: Nachrichten werden bestätigt, wenn sie gespeichert sind; 0: sie gehen verloren, wenn eine der Seiten fehlt",
  "Name of the session at the broker, which keeps messages while this server is away; by default `torus-` and the name of the bucket. Two servers with one broker need different ones":
    "Name der Sitzung beim Broker, der Nachrichten aufhebt, während dieser Server fehlt; Vorgabe: `torus-` und der Name des Buckets. Zwei Server an einem Broker brauchen verschiedene",
  "Points stored by this server itself, in a file of its data directory":
    "Punkte, die dieser Server selbst speichert, in einer Datei seines Datenordners",
  "InfluxDB 1.x, and 2.x or 3 through their 1.x API": "InfluxDB 1.x, und 2.x oder 3 über ihre API von 1.x",
  "Prometheus, and servers compatible with its query API: VictoriaMetrics, Thanos, Mimir":
    "Prometheus und Server mit derselben API für Abfragen: VictoriaMetrics, Thanos, Mimir",
  "A table or a query of PostgreSQL or TimescaleDB: a row per point, fields and tags are columns":
    "Eine Tabelle oder Abfrage von PostgreSQL oder TimescaleDB: eine Zeile je Punkt, Felder und Tags sind Spalten",
  "A CSV file, or a folder with a file per measurement, on the server's disk; every column but the time is a field and a tag":
    "Eine CSV-Datei, oder ein Ordner mit einer Datei je Messung, auf der Platte des Servers; jede Spalte außer der Zeit ist Feld und Tag",
  "Elasticsearch 7, 8 and 9, and OpenSearch": "Elasticsearch 7, 8 und 9, und OpenSearch",
  "Elasticsearch and OpenSearch domains of AWS: as `elasticsearch`, with requests signed by an access key":
    "Domains von Elasticsearch und OpenSearch bei AWS: wie `elasticsearch`, mit signierten Anfragen",
  "ClickHouse: one table, whose columns are the fields and tags; measurements are ignored":
    "ClickHouse: eine Tabelle, deren Spalten Felder und Tags sind; Messungen gibt es nicht",
  "OpenTSDB 2.3 and later": "OpenTSDB ab 2.3",
  "Warp 10, with µs as its time unit": "Warp 10, mit µs als Zeiteinheit",
  "MongoDB 5 and later: one collection, whose documents hold the fields, the tags and the time; measurements are ignored":
    "MongoDB ab 5: eine Sammlung, deren Dokumente Felder, Tags und Zeit enthalten; Messungen gibt es nicht",
  "Topics of an MQTT broker, subscribed to as long as the bucket exists; the points are stored by this server itself":
    "Topics eines MQTT-Brokers, abonniert, solange es den Bucket gibt; die Punkte speichert dieser Server selbst",
};
