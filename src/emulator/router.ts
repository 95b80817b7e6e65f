/** A route with its path split into segments. Segments in braces are parameters. */
interface Entry<Route> {
  method: string;
  segments: readonly string[];
  /** Parameter names by segment; undefined for a literal segment. */
  names: readonly (string | undefined)[];
  route: Route;
}

/** The routes of one API by method and path. A linear search is fastest, because an API has only a few routes. */
export type Router<Route> = readonly Entry<Route>[];

/** @param entries routes whose paths have `{name}` for parameters */
export function createRouter<Route>(
  entries: Iterable<{ method: string; path: string; route: Route }>,
): Router<Route> {
  const router = [...entries].map(({ method, path, route }) => {
    const segments = path.split("/");
    const names = segments.map((segment) =>
      segment.startsWith("{") && segment.endsWith("}") ? segment.slice(1, -1) : undefined,
    );
    return { method, segments, names, route };
  });
  // A literal segment takes precedence over a parameter.
  return router.sort((a, b) => firstParameters(a, b));
}

/**
 * Compares two routes by the first segment that is a parameter in only one of them; otherwise, the shorter path comes
 * first. Avoids comparing strings, because the first comparison in a process loads locale data.
 */
function firstParameters(a: Entry<unknown>, b: Entry<unknown>): number {
  const shared = Math.min(a.names.length, b.names.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = Number(a.names[index] !== undefined) - Number(b.names[index] !== undefined);
    if (difference !== 0) return difference;
  }
  return a.names.length - b.names.length;
}

/** Finds the route of a request. Returns it with the parameters as they were sent. */
export function findRoute<Route>(
  router: Router<Route> | undefined,
  method: string,
  path: string,
): { route: Route; parameters: Record<string, string> } | undefined {
  if (!router) return undefined;
  const sent = path.split("/");
  for (const entry of router) {
    if (entry.method !== method || !matches(entry, sent)) continue;
    const parameters: Record<string, string> = {};
    for (let index = 0; index < sent.length; index += 1) {
      const name = entry.names[index];
      if (name !== undefined) parameters[name] = sent[index] ?? "";
    }
    return { route: entry.route, parameters };
  }
  return undefined;
}

/** A parameter can't be empty, because a path with an empty segment is a different path. */
function matches({ segments, names }: Entry<unknown>, sent: readonly string[]): boolean {
  if (segments.length !== sent.length) return false;
  for (let index = 0; index < sent.length; index += 1) {
    if (names[index] === undefined ? segments[index] !== sent[index] : sent[index] === "") return false;
  }
  return true;
}
