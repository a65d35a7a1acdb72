// Routes of capacity: when series of live models reach a limit.
import { Type } from "@sinclair/typebox";
import { Capacity, capacityFilters } from "../../api/server/capacity.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { listQuery, query } from "../framework/params.ts";

const { sort: _, ...paging } = listQuery;

/** Routes of capacity. */
export function createCapacityRoutes({ capacity }: Pick<AppDeps, "capacity">) {
  return createInstance().get("/capacity", ({ query }) => capacity.list(query), {
    query: query({ ...paging, ...capacityFilters }),
    response: documented(Type.Array(Capacity)),
    detail: {
      scope: "read",
      summary: "List what runs full, the earliest first",
      description:
        "Features of live models, and of their series, that certainly move towards a limit, with the date of reaching it " +
        "and a 90 % band. Outlooks are made anew every six hours; those whose dates were wrong at earlier times are " +
        "listed last, without a date. A series that is flat, or reaches its limit later than its history is long, is not listed.",
      tags: ["live detection"],
    },
  });
}
