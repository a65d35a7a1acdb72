// Parameters of reports.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { invalid } from "../../core/errors.ts";
import { given, type Params } from "../shared/range.ts";

const reportFormats = ["json", "html", "text"] as const;

export const reportRange = {
  from: date("Start of the range, at most 92 days before its end; default: seven days before it"),
  to: date("End of the range, exclusive; default: now"),
};

export const formatParameter = {
  format: Type.Optional(
    Type.Union(
      reportFormats.map((format) => Type.Literal(format)),
      { description: "`html`: as a page, which `Accept: text/html` asks for as well; `text`: as plain text" },
    ),
  ),
};

/** Undefined where none is given. @throws TorusError `invalid` */
export function parseFormat(params: Params): (typeof reportFormats)[number] | undefined {
  const format = given(params, "format");
  const known = reportFormats.find((each) => each === format);
  if (format !== undefined && !known) throw invalid("format", `must be one of ${reportFormats.join(", ")}`);
  return known;
}
