import { existsSync } from "node:fs";
import * as z from "zod";
import type { Command, Flag, Input } from "../command.js";
import { CliError, exits, notFoundError, usageError } from "../errors.js";
import { callControl, runningServer } from "../local-server.js";
import type { View } from "../output/output.js";
import type { Session } from "../session.js";
import { databasePath } from "./emulator-start.js";

/** Calls the control interface of the world that the flags name; answers the data. */
export type Control = (method: string, path: string, body?: unknown) => Promise<unknown>;

export const worldFlags: readonly Flag[] = [
  { name: "db", value: "file", description: "SQLite file of the world (default: the offline profile's)" },
];

const Envelope = z.looseObject({ data: z.unknown() });
const Failure = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) });

/** Runs `use` with the control interface of the world: through its server where one runs, else in process. */
export async function withControl(
  session: Session,
  input: Input,
  use: (control: Control) => Promise<void>,
): Promise<void> {
  const path = await databasePath(session, input);
  const { createUndiciTransport } = await import("../../client/undici-transport.js");
  const network = createUndiciTransport({ env: session.io.env });
  try {
    const line = await runningServer(path, network.transport);
    if (line) {
      await use(async (method, callPath, body) => {
        const answer = await callControl(network.transport, line, method, callPath, body);
        if (answer.status >= 400) throw refusal(answer.status, answer.body);
        return Envelope.parse(answer.body).data;
      });
      return;
    }
    if (!existsSync(path))
      throw notFoundError(`there is no world at ${path}`, "start one with voxctl emulator start");
    const { ControlError, openEmulator } = await import("../../emulator/index.js");
    const emulator = await openEmulator({ db: path });
    try {
      await use((method, callPath, body) =>
        emulator.control(method, callPath, body).catch((error: unknown) => {
          throw error instanceof ControlError ? refusal(error.status, error.body) : error;
        }),
      );
    } finally {
      await emulator.close();
    }
  } finally {
    await network.close();
  }
}

function refusal(status: number, body: unknown): CliError {
  const failure = Failure.safeParse(body);
  const message = failure.success ? failure.data.error.message : `the control interface answered ${status}`;
  const exit =
    status === 404
      ? exits.notFound
      : status === 409
        ? exits.conflict
        : status === 400
          ? exits.usage
          : exits.authentication;
  return new CliError({ exit, code: failure.success ? failure.data.error.code : "control", message });
}

/** A command that makes one call and prints what it answers. */
export function controlCommand(definition: {
  name: string;
  summary: string;
  arguments?: Command["arguments"];
  flags?: readonly Flag[];
  examples: Command["examples"];
  view?: View;
  list?: boolean;
  call(input: Input): { method: string; path: string; body?: unknown };
}): Command {
  return {
    name: definition.name,
    summary: definition.summary,
    ...(definition.arguments ? { arguments: definition.arguments } : {}),
    flags: [...(definition.flags ?? []), ...worldFlags],
    examples: definition.examples,
    run: (session, input) =>
      withControl(session, input, async (control) => {
        const { method, path, body } = definition.call(input);
        const data = await control(method, path, body);
        if (definition.list)
          await session.output.list(Array.isArray(data) ? data : [], definition.view ?? { columns: [] });
        else await session.output.item(data, definition.view);
      }),
  };
}

/** `1h`, `90s`, `2d`, `250ms` or plain seconds, as seconds. @throws usage error */
export function secondsOf(text: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)?$/.exec(text);
  const units = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
  const unit = Object.entries(units).find(([name]) => name === (match?.[2] ?? "s"));
  if (!match || !unit) throw usageError(`${flag}: "${text}" is no duration like 90s, 15m, 1h or 2d`);
  return Number(match[1]) * unit[1];
}
