// Schemas of the request parameters of reads and explorations; parsed by `plan.ts` and `probe.ts`.
import { Type } from "@sinclair/typebox";
import { date } from "../../api/shown.ts";
import { pageNumber } from "../../core/input/listing.ts";
import { needed, optional } from "../../core/input/optional.ts";
import { MaxSeries } from "../../core/model/fleet.ts";
import { intervalSchema } from "../../core/time/duration-schema.ts";

/** Of a read. */
export const readParameters = {
  from: needed(date("Start, inclusive")),
  to: date("End, exclusive"),
  bucket_interval: needed(Type.Optional(intervalSchema({ description: "Length of one interval" }))),
  features: needed(optional.text("`avg(x);count(m.y)`")),
  group_by: optional.text("Tags, as in `host;cpu`: one series per combination of their values"),
  max_series: Type.Optional(
    Type.Integer({
      minimum: MaxSeries.minimum!,
      maximum: MaxSeries.maximum!,
      description: "Series of the answer, with `group_by`; default 1000",
    }),
  ),
};

/** Of an exploration. */
export const exploreParameters = {
  measurement: optional.text("Only this measurement; of Prometheus, metrics with this prefix before a `_`"),
  field: optional.text("Only this field"),
  tag: optional.text("List the values of this tag instead of fields"),
  search: optional.text(
    "Part of the name of a field (with `tag`: of a value), ignoring case; a pattern with `*` and `?` matches the whole name",
  ),
  page: pageNumber("Page of fields, or of values of the tag, from 0", 1_000_000),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Fields or values per page" }),
  ),
};
