import type { Row } from "../../base/database.js";
import { createRoutes } from "../routes.js";
import type { LoggedRequest } from "../rules/coverage.js";
import { type ControlCall, controlCall } from "./call.js";

function loggedRequest(row: Row): LoggedRequest {
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  return {
    method: String(row["method"]),
    path: String(row["path"]),
    status: Number(row["status"]),
    rule: text("rule"),
    request_body: text("request_body"),
    response_body: text("response_body"),
  };
}

export const coverageCalls: readonly ControlCall[] = [
  controlCall({
    method: "GET",
    path: "/coverage",
    list: true,
    // The catalogue is read by who asks for it only.
    prepare: () => import("../rules/coverage.js"),
    run: ({ world }, _input, { coverageOf }) =>
      coverageOf(world.database.prepare("SELECT * FROM requests").all().map(loggedRequest), createRoutes()),
  }),
];
