// Kind `influxdb` against servers in bad moods.
import { influxdb } from "../../../src/buckets/influxdb/index.ts";
import { marker, runMoods } from "../moods.ts";

runMoods({
  kind: "influxdb",
  open: (addr, timeout) =>
    influxdb.open(
      "b",
      { addr, timeout, database: "d", measurement: "m", dbuser: `user-${marker}`, dbuser_password: marker },
      { dataDir: "" },
    ),
});
