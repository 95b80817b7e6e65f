interface LoggedRequest {
  id: number;
  method: string;
  path: string;
  status: number | null;
}

/** Reads one page of the control interface, or of a stand-in for it. */
interface LogSource {
  control(method: "GET", path: string): Promise<unknown>;
}

/** Returns all logged requests that match `query`, newest first, page by page. */
export async function readLog<T extends { id: number } = LoggedRequest>(
  source: LogSource,
  query = "brief=true",
): Promise<T[]> {
  const log: T[] = [];
  for (;;) {
    const before = log.length > 0 ? `&before=${log.at(-1)?.id}` : "";
    const page = (await source.control("GET", `/requests?limit=1000&${query}${before}`)) as T[];
    if (page.length === 0) return log;
    log.push(...page);
  }
}
