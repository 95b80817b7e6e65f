import type { Row } from "../../base/database.js";
import type { coverage } from "../../contract/control/coverage.js";
import type { EmulatorState } from "../emulator-state.js";
import type { LoggedRequest } from "../rules/coverage.js";
import type { ControlHandlers } from "./handlers.js";

function toLoggedRequest(row: Row): LoggedRequest {
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

/** Reads one request at a time, because the bodies of all logged requests might not fit into memory. */
function* readLoggedRequests({ database }: EmulatorState): Generator<LoggedRequest> {
  const columns = "method, path, status, rule, request_body, response_body";
  for (const row of database.prepare(`SELECT ${columns} FROM requests`).iterate()) yield toLoggedRequest(row);
}

export const coverageHandlers: ControlHandlers<typeof coverage> = {
  "coverage.list": {
    // Load the list of API rules on demand, because only this operation needs it.
    prepare: async ({ state, routes }) => {
      const [{ computeCoverage }, { apiTools }, { requestParts }] = await Promise.all([
        import("../rules/coverage.js"),
        import("../../mcp/tools.js"),
        import("../../mcp/arguments.js"),
      ]);
      const tools = new Map(apiTools().map((tool) => [tool.name, tool]));
      return () =>
        computeCoverage(readLoggedRequests(state), routes, {
          find: (name) => tools.get(name),
          partsOf: (operation, given) => {
            const { query, body } = requestParts(operation, given).parts;
            return { query, body };
          },
        });
    },
  },
};
