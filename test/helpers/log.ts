import type { Emulator } from "../../src/emulator/types.js";

interface LoggedRequest {
  id: number;
  method: string;
  path: string;
  status: number | null;
}

/** Returns all logged requests, newest first, page by page. */
export async function readLog(emulator: Pick<Emulator, "control">): Promise<LoggedRequest[]> {
  const log: LoggedRequest[] = [];
  for (;;) {
    const before = log.length > 0 ? `&before=${log.at(-1)?.id}` : "";
    const path = `/requests?limit=1000&brief=true${before}`;
    const page = (await emulator.control("GET", path)) as LoggedRequest[];
    if (page.length === 0) return log;
    log.push(...page);
  }
}
