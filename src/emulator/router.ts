interface Entry<Route> {
  method: string;
  segments: readonly string[];
  names: readonly (string | undefined)[];
  route: Route;
}

/** An API has only a few routes, so a linear search is fastest. */
export type Router<Route> = readonly Entry<Route>[];

/** @param entries routes whose paths have parameters in braces, such as `{name}` */
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
  return router.sort(compareSpecificity);
}

function compareSpecificity(a: Entry<unknown>, b: Entry<unknown>): number {
  const shared = Math.min(a.names.length, b.names.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = Number(a.names[index] !== undefined) - Number(b.names[index] !== undefined);
    if (difference !== 0) return difference;
  }
  return a.names.length - b.names.length;
}

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

/** An empty segment doesn't match a parameter. */
function matches({ segments, names }: Entry<unknown>, sent: readonly string[]): boolean {
  if (segments.length !== sent.length) return false;
  for (let index = 0; index < sent.length; index += 1) {
    if (names[index] === undefined ? segments[index] !== sent[index] : sent[index] === "") return false;
  }
  return true;
}
