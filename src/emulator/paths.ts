export function stripQuery(target: string): string {
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark);
}

/** Decodes a path segment. A malformed segment is returned unchanged, because it can't be an ID. */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const controlPrefix = "/_emulator";

/** Path of the MCP endpoint (D-mcp). */
export const mcpPath = "/mcp";

export const uiPath = `${controlPrefix}/ui`;
