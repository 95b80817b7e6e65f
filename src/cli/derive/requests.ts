import { stringifyExactJson } from "../../base/exact-json.js";
import { maskSecrets } from "../../base/secret-fields.js";
import { type OperationName, wire } from "../../contract/wire.js";
import type { Flag } from "../session/input.js";
import type { Session } from "../session/session.js";

export const dryRunFlag: Flag = {
  name: "dry-run",
  description: "Print the requests instead of sending them",
};

export interface PlannedRequest {
  method: string;
  /** Path relative to the base URL, as documented. */
  path: string;
  body?: unknown;
}

/** Prints requests with masked secrets. */
export async function printRequests(session: Session, requests: readonly PlannedRequest[]): Promise<void> {
  const profile = await session.profile();
  const keys = profile.type === "remote" ? Object.values(profile.targets).map(({ key }) => key) : [];
  const shown = requests.map((request) =>
    "body" in request ? { ...request, body: maskSecrets(request.body, keys) } : request,
  );
  if (session.output.format !== "table") {
    await session.output.list(shown, { columns: [], fields: ["method", "path", "body"], anyFields: true });
    return;
  }
  for (const { method, path, body } of shown) {
    const text = body === undefined ? "" : `${stringifyExactJson(body, 2)}\n`;
    await session.output.text(`${method} ${path}\n${text}`);
  }
  session.notes.note("Dry run: no requests were sent.");
}

export async function resolvePlannedPath(
  session: Session,
  name: OperationName,
  parameters: Readonly<Record<string, string>> = {},
): Promise<string> {
  const profile = await session.profile();
  const own =
    profile.type === "remote" && Object.hasOwn(profile.paths, name) ? profile.paths[name] : undefined;
  return (own ?? wire[name].path).replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ""),
  );
}
