/** Returns the path of a request target, without its query. */
export function stripQuery(target: string): string {
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

/** Decodes a segment of a path. Returns a malformed segment unchanged, because it can't be an id. */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path prefix of the control interface. */
export const controlPrefix = "/_emulator";

/** Path of the MCP endpoint (D-mcp). */
export const mcpPath = "/mcp";

/** Path of the emulator's web page. */
export const uiPath = `${controlPrefix}/ui`;
