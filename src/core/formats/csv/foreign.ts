// Formats of files taken for CSV by mistake: archives, workbooks, JSON, logs and others, recognised by their first bytes.
import { refuse } from "./words/refusal.ts";

interface Form {
  readonly is: string;
  /** Way out. */
  readonly way: string;
  readonly begins: (text: string) => boolean;
}

const startsWith =
  (...beginnings: readonly string[]) =>
  (text: string) =>
    beginnings.some((each) => text.startsWith(each));
const matches = (pattern: RegExp) => (text: string) => pattern.test(text);
const ZIP = "PK\u0003\u0004";
const TELEGRAF = "let Telegraf send its figures to /write?db=BUCKET";

/** Binary ones as Windows-1252 has them. */
export const forms: readonly Form[] = [
  {
    is: "a workbook",
    way: "save its sheet as CSV",
    begins: (text) =>
      text.startsWith("ÐÏ\u0011à") || (text.startsWith(ZIP) && /\[Content_Types\]|_rels|mimetype/.test(text)),
  },
  {
    is: "compressed, or an archive",
    way: "unpack it",
    begins: startsWith(ZIP, "\u001f‹", "BZh", "ý7zXZ", "(µ/ý", "7z¼¯"),
  },
  {
    is: "binary",
    way: "export it as CSV",
    begins: startsWith("PAR1", "ARROW1", "Obj\u0001", "SQLite format 3", "%PDF-", "‰HDF"),
  },
  {
    is: "HTML or XML",
    way: "save it as CSV",
    // A name of a column such as <DATE> is followed by a separator.
    begins: matches(/^\s*<(\?xml|!doctype|[\w:-]+(\s[^<>]*)?>(?![,;\t|]))/i),
  },
  {
    is: "JSON",
    way: "torus write-bucket takes a list of points",
    begins: matches(/^\s*(\{\s*"|\[\s*[[{])/),
  },
  {
    is: "an exposition of Prometheus",
    way: "it has no times, let Prometheus read it",
    begins: matches(/^# (HELP|TYPE) [a-zA-Z_:]\w* /),
  },
  {
    is: "a report of iostat or vmstat",
    way: TELEGRAF,
    begins: matches(
      /^((Linux .*CPU\)\s+)?(\S+ \S+\s+)?(avg-cpu:|Device:?\s+(tps|r\/s|rrqm))|procs -|\s*r\s+b\s+(swpd|avm))/,
    ),
  },
  {
    is: "a report of sar",
    way: "export it with sadf -d",
    begins: matches(/^Linux .*CPU\)\s/),
  },
  {
    is: "an access log",
    way: TELEGRAF,
    begins: matches(/^((\S+ ){3,4}\[\d\d\/\w{3}\/\d{4}:[^\]\n]+\] "|(#[^\n]*\n){0,10}#Fields:)/),
  },
  {
    is: "a system log",
    way: TELEGRAF,
    begins: matches(/^(<\d+>|(\w{3} [ \d]\d |\d{4}-\d\d-\d\dT)[\d:.Z+-]+ \S+ \S+: )/),
  },
  {
    is: "line protocol",
    way: "post it to /write?db=BUCKET",
    begins: matches(
      /^[^\s,="]+(,[^\s,="]+=[^\s,="]+)* [^\s,="]+=[^\s=]+(,[^\s,="]+=[^\s=]+)* -?\d{9,19}\r?(\n|$)/,
    ),
  },
];

/** Characters that tell the form. */
const BEGINNING = 10_000;

/**
 * @param text beginning of a file
 * @throws TorusError `invalid` where it has another form
 */
export function refuseForeign(text: string): void {
  const start = text.slice(0, BEGINNING);
  const found = forms.find(({ begins }) => begins(start));
  if (found) throw refuse("file", "foreign", found.is, found.way);
}
