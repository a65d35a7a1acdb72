// Units by names of fields and measurements.
import { expect, test } from "bun:test";
import { guessUnit } from "../../../../src/core/formats/units/guess.ts";
import { unitText } from "../../../../src/core/formats/units/unit.ts";

test.each([
  ["node_memory_MemAvailable_bytes", "B"],
  ["node_network_receive_bytes_total", "B"],
  ["http_request_duration_seconds_sum", "s"],
  ["go_gc_duration_seconds", "s"],
  ["cache_hit_ratio", "ratio"],
  ["node_hwmon_temp_celsius", "°C"],
  ["node_hwmon_in_volts", "V"],
  ["node_cpu_scaling_frequency_hertz", "Hz"],
  ["node_rapl_package_joules_total", "J"],
  ["used_percent", "%"],
  ["percent_packet_loss", "%"],
  ["average_response_ms", "ms"],
  ["query_time_ms", "ms"],
  ["gc_pause_ns", "ns"],
  ["bytes_recv", "B"],
  ["bytes_per_second", "B/s"],
  ["http.server.duration_milliseconds", "ms"],
  ["usage_idle", "%"],
  ["usage_user", "%"],
  ["read_time", "ms"],
])("%s is in %s", (field, unit) => {
  expect(guessUnit({ field })).toBe(unit);
});

test.each([
  ["cpu", "usage_guest_nice", "%"],
  ["mem", "used", "B"],
  ["disk", "free", "B"],
  ["diskio", "io_time", "ms"],
  ["system", "uptime", "s"],
  ["temp", "temp", "°C"],
  ["http_response", "response_time", "s"],
  ["net", "bytes_sent", "B"],
  ["procstat", "cpu_usage", "%"],
  ["process_resident_memory_bytes", "gauge", "B"],
  ["node_load1", "gauge", undefined],
])("%s %s is in %p", (measurement, field, unit) => {
  expect(guessUnit({ measurement, field })).toBe(unit);
});

test.each([
  ...[
    "value",
    "load1",
    "temp",
    "used",
    "uptime",
    "ms",
    "bytes",
    "requests_total",
    "percentile_95",
    "usage_count",
  ],
  ...[
    "http_request_duration_seconds_count",
    "http_request_duration_seconds_bucket",
    "process_start_time_seconds",
  ],
  ...[
    "prometheus_config_last_reload_success_timestamp_seconds",
    "zfs_compression_ratio",
    "seconds_per_request",
  ],
  ...["sales_us", "teams", "response_time", "bytes_per_packet", "requests_per_second"],
])("%s has no certain unit", (field) => {
  expect(guessUnit({ field })).toBeUndefined();
});

test("every guess is a known unit as it is written", () => {
  for (const field of ["a_bytes", "a_bits", "a_kelvin", "a_pascals", "a_megabytes", "a_microseconds"]) {
    const unit = guessUnit({ field });
    expect(unit && unitText(unit)).toBe(unit);
  }
});

test("fields of other measurements are not taken for those of Telegraf", () => {
  expect(guessUnit({ measurement: "library", field: "read_time" })).toBeUndefined();
  expect(guessUnit({ measurement: "shop", field: "total" })).toBeUndefined();
});
