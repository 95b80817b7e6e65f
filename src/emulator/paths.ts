/** Returns the path of a request target, without its query. */
export function stripQuery(target: string): string {
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

/** Decodes a segment of a path; returns a malformed one unchanged, since it can't be an id. */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path of the control API. */
export const controlPrefix = "/_emulator";

/** D-mcp: path of the MCP endpoint. */
export const mcpPath = "/mcp";

/** Path of the emulator's page. */
export const uiPath = `${controlPrefix}/ui`;
