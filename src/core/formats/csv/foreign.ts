// Formats of files taken for CSV by mistake: archives, workbooks, JSON, logs and others, recognised by their first bytes.
import { refuse } from "./words/refusal.ts";

interface Form {
  readonly is: string;
  /** Way out. */
  readonly way: string;
  readonly begins: RegExp;
}

const TELEGRAF = "let Telegraf send its figures to /write?db=BUCKET";

/** Binary ones as Windows-1252 has them. */
export const forms: readonly Form[] = [
  {
    is: "a workbook",
    way: "save its sheet as CSV",
    begins: /^(ÐÏ\p{Cc}à|PK\p{Cc}{2}.*(\[Content_Types\]|_rels|mimetype))/su,
  },
  {
    is: "compressed, or an archive",
    way: "unpack it",
    begins: /^(PK\p{Cc}{2}|\p{Cc}‹|BZh|ý7zXZ|\(µ\/ý|7z¼¯)/u,
  },
  {
    is: "binary",
    way: "export it as CSV",
    begins: /^(PAR1|ARROW1|Obj\p{Cc}|SQLite format 3|%PDF-|‰HDF)/u,
  },
  {
    is: "HTML or XML",
    way: "save it as CSV",
    // A name of a column such as <DATE> is followed by a separator.
    begins: /^\s*<(\?xml|!doctype|[\w:-]+(\s[^<>]*)?>(?![,;\t|]))/i,
  },
  {
    is: "JSON",
    way: "torus write-bucket takes a list of points",
    begins: /^\s*(\{\s*"|\[\s*[[{])/,
  },
  {
    is: "an exposition of Prometheus",
    way: "it has no times, let Prometheus read it",
    begins: /^# (HELP|TYPE) [a-zA-Z_:]\w* /,
  },
  {
    is: "a report of iostat or vmstat",
    way: TELEGRAF,
    begins:
      /^((Linux .*CPU\)\s+)?(\S+ \S+\s+)?(avg-cpu:|Device:?\s+(tps|r\/s|rrqm))|procs -|\s*r\s+b\s+(swpd|avm))/,
  },
  {
    is: "a report of sar",
    way: "export it with sadf -d",
    begins: /^Linux .*CPU\)\s/,
  },
  {
    is: "an access log",
    way: TELEGRAF,
    begins: /^((\S+ ){3,4}\[\d\d\/\w{3}\/\d{4}:[^\]\n]+\] "|(#[^\n]*\n){0,10}#Fields:)/,
  },
  {
    is: "a system log",
    way: TELEGRAF,
    begins: /^(<\d+>|(\w{3} [ \d]\d |\d{4}-\d\d-\d\dT)[\d:.Z+-]+ \S+ \S+: )/,
  },
  {
    is: "line protocol",
    way: "post it to /write?db=BUCKET",
    begins: /^[^\s,="]+(,[^\s,="]+=[^\s,="]+)* [^\s,="]+=[^\s=]+(,[^\s,="]+=[^\s=]+)* -?\d{9,19}\r?(\n|$)/,
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
  const found = forms.find(({ begins }) => begins.test(start));
  if (found) throw refuse("file", "foreign", found.is, found.way);
}
