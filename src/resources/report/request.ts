// Parameters of reports.
import { type Static, Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { invalid } from "../../core/errors.ts";
import { oneOfWords } from "../../core/input/words.ts";
import { Mailbox } from "../../hooks/mail/index.ts";
import { given, type Params } from "../shared/range.ts";

const reportFormats = ["json", "html", "text"] as const;

export const reportRange = {
  from: date("Start of the range, at most 92 days before its end; default: seven days before it"),
  to: date("End of the range, exclusive; default: now"),
};

export const formatParameter = {
  format: Type.Optional(
    oneOfWords(reportFormats, {
      description: "`html`: as a page, which `Accept: text/html` asks for as well; `text`: as plain text",
    }),
  ),
};

/** Body of a report that is sent by mail. */
export const ReportMail = Type.Object(
  {
    to: Type.Array(Mailbox, { minItems: 1, maxItems: 100, description: "Recipients" }),
    sender: { ...Mailbox, description: "Sender" },
    from: date("Start of the range, which ends now; default: seven days ago"),
  },
  { additionalProperties: false, $id: "ReportMail" },
);
export type ReportMail = Static<typeof ReportMail>;

/** Undefined where none is given. @throws TorusError `invalid` */
export function parseFormat(params: Params): (typeof reportFormats)[number] | undefined {
  const format = given(params, "format");
  const known = reportFormats.find((each) => each === format);
  if (format !== undefined && !known) throw invalid("format", `must be one of ${reportFormats.join(", ")}`);
  return known;
}
