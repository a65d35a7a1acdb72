// Requests are counted by route, method and status, and their times fall into the right part of the scale.
import { expect, test } from "bun:test";
import { RequestTally } from "../../src/telemetry/request-metrics.ts";

test("times on a bound count as within it", () => {
  const tally = new RequestTally();
  for (const ms of [0, 1, 1.5, 2.5, 30_000, 30_001])
    tally.add({ method: "GET", route: "/a", status: 200, ms });
  tally.add({ method: "GET", route: "/a", status: 404, ms: 1 });
  tally.add({ method: "HEAD", route: 'b"\\\n', status: 200, ms: 1 });
  const lines = tally.render().split("\n");
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
  expect(new RequestTally().render().match(/^# TYPE \S+ \w+$/gm)).toEqual([
    "# TYPE torus_http_requests_total counter",
    "# TYPE torus_http_request_duration_seconds histogram",
  ]);
});
