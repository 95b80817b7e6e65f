import * as z from "zod";
import type { Command } from "../command.js";
import { isRegistered } from "../emulator-registry.js";
import { CliError, exits } from "../errors.js";
import { answersAs } from "../local-server.js";
import { confirmLoss, withControl, worldFlags } from "./emulator-control.js";
import { findWorld, type World } from "./emulator-world.js";

const Status = z.looseObject({ pid: z.unknown(), uptime_seconds: z.unknown() });

function nameOf(world: World): string {
  return "line" in world ? `of the emulator at ${world.line.url}` : world.path;
}

const status: Command = {
  name: "status",
  summary: "Show a world: its server, clock and what is in it",
  flags: worldFlags,
  examples: [{ command: "voxctl emulator status" }],
  run: (session, input) =>
    withControl(session, input, async (control, world) => {
      const { pid, uptime_seconds, ...state } = Status.parse(await control("GET", "/status"));
      const server =
        "line" in world
          ? {
              running: true,
              url: world.line.url,
              docs_url: `${world.line.base_url}/docs`,
              openapi_url: `${world.line.base_url}/openapi.json`,
              mcp_url: world.line.mcp_url,
              pid: world.line.pid,
              uptime_seconds,
            }
          : { running: false };
      await session.output.item({ ...server, ...state });
    }),
};

/** How long a server may take to answer what is in flight and close its file. */
const stopMilliseconds = 10_000;

const stop: Command = {
  name: "stop",
  summary: "Stop the server of a world",
  flags: worldFlags,
  examples: [{ command: "voxctl emulator stop" }],
  run: async (session, input) => {
    const { createUndiciTransport } = await import("../../client/undici-transport.js");
    const network = createUndiciTransport({ env: session.io.env });
    /** To a person the sentence says it all. */
    const tell = async (sentence: string, result: Record<string, unknown>) => {
      if (session.output.format !== "table") await session.output.item(result);
      session.notes.note(sentence);
    };
    try {
      const world = await findWorld(session, input, network.transport);
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
  summary: "Empty a world and fill it anew; its keys change",
  flags: [
    {
      name: "seed",
      value: "seed",
      description: "what it holds then",
      choices: ["demo", "empty"],
      strict: true,
      default: "demo",
    },
    ...worldFlags,
  ],
  examples: [{ command: "voxctl emulator reset --seed empty --yes" }],
  run: (session, input) =>
    withControl(session, input, async (control, world) => {
      await confirmLoss(session, `Everything in the world ${nameOf(world)} will be deleted. Go on?`);
      await session.output.item(await control("POST", "/reset", { seed: input.text("seed") ?? "demo" }));
    }),
};

export const serverCommands: readonly Command[] = [stop, status, reset];
