import * as z from "zod";
import type { StartLine } from "../../../emulator/types.js";
import { CliError, exits } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { answersAs, openLocalNetwork } from "../../session/local-server.js";
import { changeWorld, confirmLoss, readWorld, worldFlags } from "./control.js";
import { isRegistered } from "./registry.js";
import { findWorld, lookForWorld, worldName } from "./world.js";

const Status = z.looseObject({ pid: z.unknown(), uptime_seconds: z.unknown() });

const status: Command = {
  name: "status",
  summary: "Show a world: its server, clock and what is in it",
  description:
    "The world that the profile in use reaches. Where no server serves it, the emulators that run are listed beside it.",
  flags: worldFlags,
  examples: [{ command: "voxctl emulator status" }],
  async run(session, input) {
    const network = await openLocalNetwork(session);
    const found = await lookForWorld(session, input, network.transport).finally(() => network.close());
    if ("unreached" in found) {
      const { name, targets, unreadable } = found.unreached;
      const [service] = Object.values({ ...targets, ...unreadable });
      session.notes.note(`the profile ${name} leads to no emulator of yours`);
      await session.output.item({
        running: false,
        profile: name,
        service: service?.baseUrl ?? null,
        servers: found.running.map(serverRow),
      });
      return;
    }
    await readWorld(session, input, async (control, world, { running }) => {
      const { pid, uptime_seconds, ...state } = Status.parse(await control("GET", "/status"));
      if (!("line" in world)) {
        await session.output.item({ running: false, ...state, servers: (await running()).map(serverRow) });
        return;
      }
      const { line } = world;
      await session.output.item({
        running: true,
        url: line.url,
        docs_url: `${line.base_url}/docs`,
        openapi_url: `${line.base_url}/openapi.json`,
        mcp_url: line.mcp_url,
        pid: line.pid,
        uptime_seconds,
        ...state,
      });
    });
  },
};

/** An emulator that runs, without its keys. */
function serverRow({ url, db, pid }: StartLine): Record<string, unknown> {
  return { url, db, pid };
}

/** How long a server may take to answer what is in flight and close its file. */
const stopMilliseconds = 10_000;

const stop: Command = {
  name: "stop",
  summary: "Stop the server of a world",
  flags: worldFlags,
  examples: [{ command: "voxctl emulator stop" }],
  run: async (session, input) => {
    const network = await openLocalNetwork(session);
    /** To a person the sentence says it all. */
    const tell = async (sentence: string, result: Record<string, unknown>) => {
      if (session.output.format !== "table") await session.output.item(result);
      session.notes.note(sentence);
    };
    try {
      const world = await findWorld(session, input, network.transport, { changes: true });
      if (!("line" in world)) {
        return await tell(`no emulator serves ${world.path}`, { stopped: false, db: world.path });
      }
      const { line } = world;
      // It answered with its own token and number: the process is the emulator, not a stranger.
      process.kill(line.pid, "SIGTERM");
      const deadline = session.clock.now() + stopMilliseconds;
      while ((await answersAs(line, network.transport)) || isRegistered(session.folders, line)) {
        if (session.clock.now() >= deadline) {
          throw new CliError({
            exit: exits.pending,
            code: "not_stopped",
            message: `the emulator at ${line.url}, process ${line.pid}, was told to stop but goes on`,
            outcome: "unknown",
          });
        }
        await session.clock.sleep(50, session.signal);
      }
      const { url, pid, db } = line;
      await tell(`stopped the emulator at ${url}`, { stopped: true, url, pid, db });
    } finally {
      await network.close();
    }
  },
};

const reset: Command = {
  name: "reset",
  summary: "Empty a world and fill it anew; the keys that it began with stay",
  flags: [
    {
      name: "seed",
      value: "seed",
      description: "what it holds then",
      choices: ["demo", "empty"],
      strict: true,
      default: "demo",
    },
    { name: "new-keys", description: "change the keys that it began with, too" },
    ...worldFlags,
  ],
  examples: [
    { command: "voxctl emulator reset --seed empty --yes" },
    { command: "voxctl emulator reset --profile rehearsal", note: "makes the profile's world, if it is new" },
  ],
  run: (session, input) =>
    changeWorld(
      session,
      input,
      async (control, world, { made }) => {
        // A world that was not there loses nothing.
        if (!made)
          await confirmLoss(session, world, `Everything in ${worldName(world)} will be deleted. Go on?`);
        await session.output.item(
          await control("POST", "/reset", {
            seed: input.text("seed") ?? "demo",
            new_keys: input.on("new-keys") === true,
          }),
        );
      },
      { makes: true },
    ),
};

export const serverCommands: readonly Command[] = [stop, status, reset];
