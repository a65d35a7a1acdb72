// Mute windows in the zone and the language of the page.
import type { MuteWindow } from "../../../core/model/mute.ts";
import { describeWindow, type MuteZones } from "../../lib/anomalies/mute-grid.ts";
import { serverNow } from "../../state/clock.ts";
import { moments, texts, zoneName } from "../../state/preferences.ts";

/** @param own zone of windows without one */
export function muteZones(own = "UTC"): MuteZones {
  return { own, shown: zoneName.value, at: serverNow() };
}

/** @param own zone of windows without one: that of the model */
export function describeMute(window: MuteWindow, own?: string): string {
  const moment = (seconds: number) => moments.value.moment(seconds, serverNow());
  return describeWindow(window, muteZones(own), { days: texts.value.mute.days, moment });
}
