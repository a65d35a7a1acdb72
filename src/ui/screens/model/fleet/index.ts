// Screens of a fleet in one file of the bundle: the list of its series, and one of them.

export { FleetTab } from "./list.tsx";
export { Series } from "./series.tsx";
