import { throwIfEnded, usageError } from "../../../cli/errors/errors.js";
import type { Column } from "../../../cli/output/output.js";
import type { Command } from "../../../cli/session/command.js";
import { parseCount } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { Control } from "../../../client/control.js";
import type { ControlData } from "../../../contract/control/control.js";
import { emulatorFlags, readEmulator } from "./control.js";

const columns: readonly Column[] = [
  { header: "ID", value: "id", keep: true, align: "right" },
  { header: "AT", value: "at", as: "time", keep: true },
  { header: "METHOD", value: "method" },
  { header: "PATH", value: "path" },
  { header: "STATUS", value: "status", as: "status" },
  { header: "CODE", value: "code" },
  { header: "RULE", value: "rule" },
];

type Entry = ControlData<"requests.list">[number];

const pollMilliseconds = 500;
/**
 * Number of entries per page. A page of the largest possible entries is still smaller than the largest
 * allowed response.
 */
const entriesPerPage = 50;

export const logs: Command = {
  name: "logs",
  summary: "Show recent requests, or one request in detail",
  arguments: [
    { name: "id", description: "Number of the request to show with headers and bodies", optional: true },
  ],
  flags: [
    { name: "limit", value: "n", description: "Maximum number of requests, newest first", default: "50" },
    {
      name: "status",
      value: "code",
      description: "Only requests with this status; `error` means 400 and above",
    },
    {
      name: "search",
      value: "text",
      description: "Only requests with this text in the URL, body, error code or API rule",
    },
    { name: "follow", short: "f", description: "Print new requests, oldest first, until you press Ctrl-C" },
    ...emulatorFlags,
  ],
  examples: [
    { command: "voxctl emulator logs --status 429" },
    { command: "voxctl emulator logs 1" },
    { command: "voxctl emulator logs --status error --search Mustermann" },
    { command: "voxctl emulator logs --follow --limit 5" },
  ],
  run: (session, input) => {
    const [id] = input.arguments;
    if (id !== undefined) return showRequest(session, input, id);
    return input.on("follow")
      ? followRequests(session, input)
      : readEmulator(session, input, async (control) => {
          const query = createQuery(input, undefined, input.text("limit"));
          await session.output.list(readEntries(control, query), { columns, empty: "no requests" });
        });
  },
};

/** @throws usage error (2) if a flag that filters requests is set */
async function showRequest(session: Session, input: Input, id: string): Promise<void> {
  const conflicting = ["limit", "status", "search", "follow"].find((flag) => input.has(flag));
  if (conflicting !== undefined) throw usageError(`conflicting arguments: <id> and --${conflicting}`);
  await readEmulator(session, input, async (control) => {
    await session.output.item(await control("requests.get", { path: { id } }));
  });
}

function createQuery(input: Input, after: string | undefined, limit = "50") {
  const status = input.text("status");
  return {
    limit: parseCount(limit, "--limit"),
    search: input.text("search"),
    ...(status === "error" ? { errors: "true" as const } : { status }),
    after,
  };
}

/** The emulator may return fewer entries than requested, because it limits the size of a page. */
async function* readEntries(control: Control, { limit, ...query }: ReturnType<typeof createQuery>) {
  let before: number | undefined;
  for (let remaining = limit; remaining > 0; ) {
    const pageLimit = Math.min(remaining, entriesPerPage);
    const rows = await control("requests.list", { query: { ...query, before, limit: pageLimit } });
    yield* rows;
    if (rows.length === 0) return;
    remaining -= rows.length;
    before = rows.at(-1)?.id;
  }
}

/** Looks up the emulator before each poll, because the server may have restarted. */
async function followRequests(session: Session, input: Input): Promise<void> {
  const { output: format } = session.flags;
  if (format !== undefined && format !== "table" && format !== "ndjson") {
    throw usageError(`conflicting flags: --follow and -o ${format}; use -o table or -o ndjson`);
  }
  const asTable = session.output.format === "table";
  let after: string | undefined;
  let limit = input.text("limit") ?? "10";
  // Only the first poll prints which emulator is used.
  let asking = session;
  while (!session.signal.aborted) {
    await readEmulator(asking, input, async (control) => {
      const rows: Entry[] = [];
      for await (const row of readEntries(control, createQuery(input, after, limit))) rows.push(row);
      for (const row of rows.reverse()) {
        if (asTable) await session.output.lines([formatEntry(row)]);
        else await session.output.json([`${JSON.stringify(row)}\n`]);
        after = String(row.id);
      }
    });
    after ??= "0";
    asking = { ...session, notes: { ...session.notes, note: () => {} } };
    limit = "10000";
    await session.clock.sleep(pollMilliseconds, session.signal).catch(() => {});
  }
  throwIfEnded(session.signal);
}

function formatEntry({ at, method, path, status, rule, duration_ms }: Entry): string {
  return `${at}  ${status}  ${method.padEnd(6)} ${path}  ${duration_ms.toFixed(1)} ms${rule ? `  ${rule}` : ""}`;
}
