// Request metrics: counts by route, method and status, and buckets of times.
import { expect, test } from "bun:test";
import { RequestMetrics } from "../../src/telemetry/request-metrics.ts";

test("times on a bound count as within it", () => {
  const metrics = new RequestMetrics();
  for (const ms of [0, 1, 1.5, 2.5, 30_000, 30_001])
    metrics.add({ method: "GET", route: "/a", status: 200, ms });
  metrics.add({ method: "GET", route: "/a", status: 404, ms: 1 });
  metrics.add({ method: "HEAD", route: 'b"\\\n', status: 200, ms: 1 });
  const lines = metrics.render().split("\n");
  for (const line of [
    'torus_http_requests_total{method="GET",route="/a",status="200"} 6',
    'torus_http_requests_total{method="GET",route="/a",status="404"} 1',
    'torus_http_requests_total{method="HEAD",route="b\\"\\\\\\n",status="200"} 1',
    'torus_http_request_duration_seconds_bucket{le="0.001",route="/a"} 3',
    'torus_http_request_duration_seconds_bucket{le="0.0025",route="/a"} 5',
    'torus_http_request_duration_seconds_bucket{le="30",route="/a"} 6',
    'torus_http_request_duration_seconds_bucket{le="+Inf",route="/a"} 7',
    'torus_http_request_duration_seconds_sum{route="/a"} 60.007',
    'torus_http_request_duration_seconds_count{route="/a"} 7',
  ])
    expect(lines).toContain(line);
});

test("with nothing counted, both metrics are announced all the same", () => {
  expect(new RequestMetrics().render().match(/^# TYPE \S+ \w+$/gm)).toEqual([
    "# TYPE torus_http_requests_total counter",
    "# TYPE torus_http_request_duration_seconds histogram",
  ]);
});
