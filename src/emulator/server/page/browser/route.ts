/** `#requests/12?key=…` means the tab `requests`, the path `["12"]` and a query. */
export interface Route {
  tab: string;
  path: readonly string[];
  query: Readonly<Record<string, string>>;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const [tab = "", ...segments] = path.split("/").map(decoded);
  return { tab, path: segments, query: Object.fromEntries(new URLSearchParams(query)) };
}

type Query = Readonly<Record<string, string | undefined>>;

export function formatHref(tab: string, path: readonly string[] = [], query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value]],
  );
  const search = new URLSearchParams(given).toString();
  return `#${[tab, ...path].map(encodeURIComponent).join("/")}${search && `?${search}`}`;
}

/** With `replaces`, the browser's history gets no new entry, for example while the user types a search. */
export function go(href: string, replaces = false): void {
  if (replaces) location.replace(href);
  else location.hash = href;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
