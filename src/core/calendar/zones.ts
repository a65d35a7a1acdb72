// Time zones of an iCalendar text by name: IANA and Windows names, and definitions, which are read when an event uses them.
import { TorusError } from "../errors.ts";
import type { OffsetAt } from "./wall-time.ts";
import { namedZone } from "./zone.ts";

const MAX_NAMES = 500;

export class Zones {
  readonly #known = new Map<string, OffsetAt | TorusError>();

  /** @param define reads the definition of a name; undefined where there is none */
  constructor(private readonly define: (name: string) => OffsetAt | undefined = () => undefined) {}

  /** The zone of a TZID. @throws TorusError `invalid` for one that is not known, or whose definition is refused */
  of(name: string): OffsetAt {
    const zone = this.#known.get(name) ?? this.#find(name);
    if (zone instanceof TorusError) throw zone;
    return zone;
  }

  #find(name: string): OffsetAt | TorusError {
    if (this.#known.size >= MAX_NAMES)
      return new TorusError("invalid", `names one of more than ${MAX_NAMES} time zones`);
    const zone = this.#read(name);
    this.#known.set(name, zone);
    return zone;
  }

  #read(name: string): OffsetAt | TorusError {
    const shown = JSON.stringify(name.slice(0, 64));
    try {
      const zone = this.define(name) ?? namedZone(name);
      if (zone) return zone;
    } catch (error) {
      if (!(error instanceof TorusError)) throw error;
      return new TorusError("invalid", `has the time zone ${shown}, whose definition ${error.message}`);
    }
    return new TorusError(
      "invalid",
      `has the time zone ${shown}, which is no IANA or Windows name and not defined by a VTIMEZONE of the file`,
    );
  }
}
