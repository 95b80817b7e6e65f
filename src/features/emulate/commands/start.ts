import { existsSync } from "node:fs";
import { waitForAbort } from "../../../base/abort.js";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { isHostName } from "../../../base/host-name.js";
import { isLoopback } from "../../../base/loopback.js";
import { parseOrigin } from "../../../base/origin.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { parseWholeNumber } from "../../../cli/session/globals.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { buildAddresses } from "../../../contract/addresses.js";
import { buckets } from "../../../contract/limits.js";
import type { StartLine } from "../../../emulator/types.js";
import { registerEmulator } from "../registry.js";
import { readEmulatorOptions } from "./options.js";
import { assertNoOtherServer, assertPortFree, toListenError, toLockedError } from "./port-conflict.js";
import { addSeedOptions, assertSeeded, createSeedFlags, plantNewSeed, readSeed } from "./seed.js";
import { printStart } from "./start-line.js";
import { readShapeExample, webhookShapeFlag } from "./webhook-shape.js";

const defaultPort = 4010;

/**
 * Milliseconds until the server loads modules that the first requests don't need. Loading these modules at
 * startup would delay the first requests.
 */
const preloadAfterMilliseconds = 500;

export const emulatorStart: Command = {
  name: "start",
  summary: "Serve the emulator over HTTP",
  description:
    "Commands with `--profile offline` work without a server. Start one to use the emulator from other programs or a browser. Without --db, serves the `offline` profile's database; commands that use this profile then connect to this server. To stop it, press Ctrl-C.",
  flags: [
    {
      name: "port",
      value: "port",
      description: "Port to listen on; 0 selects a free one",
      default: String(defaultPort),
    },
    { name: "host", value: "address", description: "Address to listen on", default: "127.0.0.1" },
    { name: "allow-host", value: "name", description: "Additional Host header to accept", repeatable: true },
    {
      name: "cors",
      value: "origin",
      description: "Origin of a web page that may call the APIs and MCP, such as http://localhost:5173",
      repeatable: true,
    },
    {
      name: "db",
      value: "file",
      description: "SQLite database file, or :memory: to keep all data in memory",
    },
    ...createSeedFlags("Initial data for a new database"),
    {
      name: "clock",
      value: "mode|time",
      description:
        "`real` follows the machine's clock; `virtual` advances only when it is moved; an ISO 8601 time starts a new database's virtual clock at that time",
      default: "real",
    },
    {
      name: "limits",
      value: "bucket=n,…",
      description: `Rate limits by bucket: ${Object.keys(buckets).join(", ")}`,
    },
    {
      name: "key",
      value: "name=value",
      description: "Fixed value of a seeded key (admin, editor, caller …): 8 to 200 characters",
      repeatable: true,
    },
    {
      name: "random-seed",
      value: "number",
      description: "Seed for repeatable IDs, data and faults",
      default: "1",
    },
    {
      name: "allow-private-webhooks",
      description: "Allow webhooks on loopback and private addresses",
      negatable: true,
    },
    webhookShapeFlag,
    { name: "detach", description: "Run in the background" },
  ],
  examples: [
    { command: "voxctl emulator start" },
    {
      command: "voxctl emulator start --db :memory: --seed empty --clock virtual --port 0 -o json",
      note: "For your program's tests, which advance the clock themselves",
    },
    {
      command: "voxctl emulator start --db :memory: --port 0 -o json",
      note: "For `voxctl calls test`; in a CI job, add --detach",
    },
    {
      command: "voxctl emulator start --db :memory: --seed praxis --seed-target dev",
      note: "Seeded from a configuration directory",
    },
  ],
  async run(session, input) {
    if (!input.on("detach")) return serve(session, input);
    const { startDetached } = await import("./detach.js");
    return startDetached(session, input, emulatorStart.flags ?? []);
  },
};

async function serve(session: Session, input: Input): Promise<void> {
  const seed = await readSeed(session, input);
  const { options, beginsAt } = await addSeedOptions(
    await readEmulatorOptions(session, input),
    seed,
    session.clock.now(),
  );
  const db = options.db ?? ":memory:";
  if (seed === undefined) assertSeeded(db);
  const host = input.text("host") ?? "127.0.0.1";
  // With an empty host, such as from an unset variable, the server would listen on every address.
  if (host.trim() === "") throw usageError('invalid --host "": expected an address such as 127.0.0.1');
  const { LockedError, openEmulator } = await import("../../../emulator/index.js");
  const cors = input.texts("cors").map(readOrigin);
  const allowHosts = input.texts("allow-host").map(readHostName);
  const port = parseWholeNumber("port", input.text("port"), defaultPort, 65_535);
  const shape = input.text("webhook-shape");
  const webhookExample = shape === undefined ? undefined : await readShapeExample(session, shape);
  await assertNoOtherServer(session, options.db ?? "");
  // If the port is in use, don't create a database.
  if (db !== ":memory:")
    await assertPortFree(host, port).catch(async (error: unknown) => {
      throw await toListenError(session, error, host, port);
    });
  const hasExisted = db !== ":memory:" && existsSync(db);
  const { signal } = session;
  const emulator = await openEmulator({ ...options, exclusive: true }).catch(async (error: unknown) => {
    if (error instanceof LockedError) {
      // Another server, started at the same time, may have locked the database first.
      await assertNoOtherServer(session, options.db ?? "");
      throw toLockedError(options.db ?? "", error);
    }
    throw error;
  });
  if (hasExisted) noteIgnoredFlags(session, input, db, seed !== undefined);
  const stopping = new AbortController();
  let unregister = () => {};
  try {
    const seeded =
      seed === undefined ? {} : await plantNewSeed(session, emulator, seed, { db, hasExisted, beginsAt });
    const allowPrivateWebhooks = input.on("allow-private-webhooks");
    const server = await emulator
      .listen({
        port,
        host,
        allowHosts,
        cors,
        onStop: () => stopping.abort(),
        ...(allowPrivateWebhooks === undefined ? {} : { allowPrivateWebhooks }),
        ...(webhookExample === undefined ? {} : { webhookExample }),
      })
      .catch(async (error: unknown) => {
        throw await toListenError(session, error, host, port);
      });
    if (!isLoopback(host)) {
      session.notes.warn(
        `other machines can reach this emulator at ${host} with one of its keys; to accept only local requests, omit --host`,
      );
    }
    const line = { ...emulator.startLine, ...buildAddresses(server.url) };
    unregister = await registerServer(session, line);
    await printStart(
      session,
      line,
      async () => {
        const { createControl } = await import("../../../client/control.js");
        return createControl(emulator.control);
      },
      seeded,
    );
    void preloadLater(session);
    await waitForAbort(AbortSignal.any([signal, stopping.signal]));
    session.notes.note("Stopping the emulator…");
  } finally {
    await emulator.close();
    unregister();
  }
}

/** Prints which flags are ignored because the database has data. Seeding from a path prints its own note. */
function noteIgnoredFlags({ notes }: Session, input: Input, db: string, hasPathSeed: boolean): void {
  const time = input.text("clock");
  const ignored = [
    ...(input.has("seed") && !hasPathSeed ? ["--seed"] : []),
    ...(input.has("random-seed") ? ["--random-seed"] : []),
    ...(time === undefined || time === "real" || time === "virtual" ? [] : [`--clock ${time}`]),
  ];
  if (ignored.length > 0)
    notes.note(
      `${ignored.join(", ")} ignored: ${db} already has data; to use ${ignored.length === 1 ? "this flag" : "these flags"}, start with a new database`,
    );
}

/**
 * If the registration fails, prints a warning.
 * @returns the function that removes the entry
 */
export async function registerServer({ folders, notes }: Session, line: StartLine): Promise<() => void> {
  return registerEmulator(folders, line).catch((error: unknown) => {
    notes.warn(`other emulator commands can't find this server: ${describeFsError(error, "write")}`);
    return () => {};
  });
}

/** @throws usage error (2) for a URL or a name with a port, because no request would match it */
function readHostName(text: string): string {
  if (isHostName(text)) return text;
  throw usageError(
    `invalid --allow-host "${text}": expected a host name without a port, such as emulator.test`,
  );
}

/** @throws usage error (2) for an invalid origin, including `*` */
function readOrigin(text: string): string {
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  throw usageError(`invalid --cors "${text}": expected an origin such as http://localhost:5173`);
}

async function preloadLater(session: Session): Promise<void> {
  try {
    await session.clock.sleep(preloadAfterMilliseconds, session.signal);
    const { preload } = await import("../../../emulator/preload.js");
    await preload(session.signal);
    session.notes.debug("loaded all modules");
    await session.io.boundMemory?.("server");
  } catch {
    // Loading was interrupted or a module is missing. A request that needs the module reports the error.
  }
}
