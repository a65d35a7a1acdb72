// Names of columns as exports have them: times and their parts, identities of series, names of quantities, row numbers.

const timeNames = (
  "_time,timestamp,time,datetime,date time,date,ts,ds,unixtime,epoch,clock,last changed,last updated,when,at," +
  "datum,zeit,zeitstempel,zeitpunkt,uhrzeit,tag,start,begin,from,day,month,year,week,quarter,monat,jahr,woche," +
  "quartal,fecha,hora,fecha hora,dia,mes,año,ano,data,ora,giorno,mese,anno,heure,horodatage,jour,mois,année," +
  "annee,semaine,datum tijd,tijd,tijdstip,dag,maand,jaar,период,дата,время,日期,时间,日付,時刻,日時"
).split(",");

/** Rank of a name as that of a time; lower is better, Infinity: none. */
export function timeRank(name: string): number {
  const plain = simplify(name);
  const exact = timeNames.indexOf(plain);
  if (exact >= 0) return exact;
  const words = plain.split(" ");
  return words.some((word) => timeNames.includes(word) && !/^(at|day|tag)$/.test(word))
    ? timeNames.length
    : Infinity;
}

/** Whether a name is that of a time. */
export function isTimeName(name: string): boolean {
  return timeRank(name) < Infinity;
}

/** Lower case, without what stands in brackets: `Time (UTC)` is `time`, `<TIME>` too. */
function simplify(name: string): string {
  const bare = name
    .replace(/^<(.*)>$/, "$1")
    .replace(/[([].*[)\]]$/, "")
    .trim()
    .toLowerCase();
  return bare.startsWith("_") ? bare : bare.replace(/[\s_./-]+/g, " ").trim();
}

const clockName =
  /^((utc|gmt|lst|local) )?(time|clock|hhmm(ss)?|uhrzeit|zeit|hora|heure|ora|tijd)( (utc|gmt|lst|local))?$/;

/** Whether the numbers of a column can be times of day, as in `Time (UTC)` or `LST_TIME`; not of a `response time`. */
export function isClockName(name: string): boolean {
  return clockName.test(simplify(name));
}

/** Parts of a time in columns of their own, the greatest first. */
const components = [
  /^(year|yr|yyyy|jahr|ann[ée]e|año|anno)$/,
  /^(month|mon|mm|mo|monat|mois|mes|mese)$/,
  /^(day|dd|tag|jour|dia|giorno|dy)$/,
  /^(hour|hr|hh|stunde|heure|hora|ora|hrs)$/,
  /^(minute|min|mi)$/,
  /^sec(ond)?$/,
];

/** Position among the parts of a time; -1 for other names. */
export function componentOf(name: string): number {
  const plain = simplify(name);
  return components.findIndex((names) => names.test(plain));
}

const identities =
  /^(.*[ _])?(id|entity|host|hostname|instance|device|sensor|station|location|site|shop|store|region|country|city|server|node|machine|unit|series|meter|room|zone|channel|pod|container|service|job|varname|tagname)$/;

/** Whether a column has numbers of ISO weeks; those of a `week` may begin on Sundays. */
export function isWeekName(name: string): boolean {
  return /^kw|woche|semaine|iso ?week/i.test(name);
}

/** Whether a number such as 2024-05 is that of a week in a column of this name. */
export function namesWeek(name: string): boolean {
  return isWeekName(name) || /week/i.test(name);
}

/** Whether the texts of a column say what a row is of, even where rows do not collide. */
export function isIdentity(name: string): boolean {
  return identities.test(simplify(name)) || isNumberedName(name);
}

/** Whether the numbers of a column name what a row is of: `id`, `sensor_id`, `stationId`, `STN`. */
export function isNumberedName(name: string): boolean {
  return /(^|[ _])id$|^(stn|station)$/.test(simplify(name)) || /[a-z]I[dD]$/.test(name);
}

/** Whether the numbers of a column are those of kinds of rows, as in `Record Type`. */
export function isTypeName(name: string): boolean {
  return /typ$|type$|^t[iy]p[eo] d/i.test(name);
}

/** Whether the cells of a column name the quantity of the row, as in long tables. */
export function isQuantityName(name: string): boolean {
  return /^(metric|variable|_?field|parameter|measure|quantity)$/.test(simplify(name));
}

/** Whether a name, if any, is that of a number of the row. */
export function isRowNumberName(name: string): boolean {
  return /^(no|nr|#|id|index|idx|row|rownum|unnamed: 0|lfd nr|n)?$/.test(simplify(name));
}
