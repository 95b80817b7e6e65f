import { formatCount } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
import type { RawRequest } from "../../../client/types.js";
import type { ApiName } from "../../../contract/apis.js";
import { buildErrorReport } from "../../errors/exit-codes.js";
import { findStoredProfile } from "../../profiles/choose.js";
import { apiNames, readConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Connection, Session } from "../../session/session.js";

/** The cheapest read of each interface that needs its key. */
export const probes: Readonly<Record<ApiName, RawRequest>> = {
  public: { api: "public", method: "GET", rawPath: "/ping" },
  "distributor-v1": { api: "distributor-v1", method: "GET", rawPath: "/partners" },
  "distributor-v2": { api: "distributor-v2", method: "GET", rawPath: "/organizations" },
  legacy: { api: "legacy", method: "GET", rawPath: "/api/v1/health" },
};

/** `voxctl profiles check`: which interfaces the profile's keys open. */
export const checkProfile: Command = {
  name: "check",
  summary: "Check which interfaces a profile's keys open",
  description:
    "Sends one read to each API. Shows whether it responds and accepts the key, how many reads remain in the limit, and the expiry of the key from profiles add.",
  arguments: [{ name: "name", description: "a profile's name; else the one in use", optional: true }],
  examples: [{ command: "voxctl profiles check" }, { command: "voxctl profiles check acme -o json" }],
  async run(session, input) {
    const { name } = await session.profile(input.arguments[0]);
    const stored = findStoredProfile(await readConfiguration(session.folders), name);
    const getExpiry = (api: ApiName) =>
      stored?.kind === "remote" ? stored.surfaces[api]?.expires : undefined;
    const connection = await session.connect();
    const rows: Record<string, unknown>[] = [];
    let failure: unknown;
    for (const api of apiNames) {
      if (connection.baseUrl(api) === undefined) continue;
      const { row, error } = await probeApi(api, connection, session);
      rows.push({ ...row, expires: getExpiry(api) ?? null });
      failure ??= error;
    }
    await session.output.list(rows, {
      columns: [
        { header: "API", value: "api", keep: true },
        { header: "SERVICE", value: "url" },
        { header: "STATE", value: "state", as: "status", keep: true },
        {
          header: "LEFT OF LIMIT",
          value: ({ limit, remaining }) => (limit === null ? "" : `${remaining} of ${limit}`),
        },
        { header: "KEY ENDS", value: "expires", keep: true },
        { header: "MESSAGE", value: "message" },
      ],
    });
    for (const { api, expires } of rows) warnOfExpiry(String(api), expires, session);
    if (failure) throw failure;
  },
};

/** Time enough to have a new one made. */
const warnDays = 30;

function warnOfExpiry(api: string, expires: unknown, { notes, clock }: Session): void {
  if (typeof expires !== "string") return;
  const days = Math.ceil((parseTime(expires) - clock.now()) / 86_400_000);
  if (days > warnDays) return;
  notes.warn(
    days < 0
      ? `the key of the ${api} interface ended on ${expires}, as far as is known`
      : `the key of the ${api} interface ends on ${expires}, in ${formatCount(days, "day")}; have a new one made`,
  );
}

async function probeApi(
  api: ApiName,
  { client, baseUrl }: Connection,
  session: Session,
): Promise<{ row: Record<string, unknown>; error?: unknown }> {
  const url = baseUrl(api);
  try {
    const { status, headers } = await client.request(probes[api], { signal: session.signal });
    const number = (name: string) => (headers[name] === undefined ? null : Number(headers[name]));
    return {
      row: {
        api,
        url,
        state: "open",
        status,
        limit: number("x-ratelimit-limit"),
        remaining: number("x-ratelimit-remaining"),
        message: null,
      },
    };
  } catch (error) {
    if (session.signal.aborted) throw error;
    const report = buildErrorReport(error, session.signal);
    const state = report?.exit === 3 ? "refused" : "failed";
    return {
      row: {
        api,
        url,
        state,
        status: report?.status ?? null,
        limit: null,
        remaining: null,
        message: report?.message ?? null,
      },
      error,
    };
  }
}
