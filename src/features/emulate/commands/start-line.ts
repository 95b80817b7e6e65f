import type { Session } from "../../../cli/session/session.js";
import type { Control } from "../../../client/control.js";
import type { StartLine } from "../../../emulator/types.js";
import type { SeedKeys } from "./seed.js";

/**
 * Prints the addresses of a new server: as text or, for scripts, as one line of JSON without the link to the
 * web UI.
 */
export async function printStart(
  session: Session,
  line: StartLine,
  control: () => Promise<Control>,
  seeded: SeedKeys = {},
): Promise<void> {
  if (session.output.format !== "table") {
    // Print a single line, because scripts read this line while the server continues to run.
    const more = Object.keys(seeded).length === 0 ? {} : { seed_keys: seeded };
    await session.output.json([`${JSON.stringify({ ...line, ...more })}\n`]);
    return;
  }
  const rows: [string, string][] = [
    ["Public API", line.base_url],
    ["Distributor v2", line.distributor_v2_url],
    ["Distributor v1", line.distributor_v1_url],
    ["Legacy", line.legacy_url],
    ["MCP", line.mcp_url],
    ["Documentation", `${line.base_url}/docs`],
    ["OpenAPI", `${line.base_url}/openapi.json`],
    ["Control", line.control_url],
    ["Control token", line.control_token],
    ...Object.entries({ ...line.keys, ...seeded }).map(([name, key]): [string, string] => [
      `Key ${name}`,
      key,
    ]),
    ["Database", line.db],
    ["Process", String(line.pid)],
  ];
  const table = rows.map(([name, value]) => `${name.padEnd(20)} ${value}`).join("\n");
  // Print the link at the start of a line, so that a narrow terminal doesn't split it.
  const { path } = await (await control())("uiTickets.create");
  await session.output.text(`${table}\n\nWeb UI (one-time link):\n${line.url}${path}\n`);
}
