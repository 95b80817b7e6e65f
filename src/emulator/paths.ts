/** The path of a target, without its query. */
export function stripQuery(target: string): string {
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

/** A segment of a path without its percent-encoding; as it is where that is malformed (it is no id of any form). */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Where the control interface lies. */
export const controlPrefix = "/_emulator";

/** D-mcp: path of the MCP endpoint. */
export const mcpPath = "/mcp";

/** Path of the emulator's page. */
export const uiPath = `${controlPrefix}/ui`;
