import { isRead } from "../../../client/control.js";
import { type ControlName, control as calls } from "../../../contract/control/control.js";
import { pathParameters } from "../../../contract/operation.js";
import { readData } from "../../derive/body.js";
import { usageError } from "../../errors/errors.js";
import { meantOf } from "../../errors/nearest.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { changeWorld, readWorld, worldFlags } from "./control.js";

const isCall = (name: string): name is ControlName => Object.hasOwn(calls, name);

/** `voxctl emulator control voices.create --data …`: any call of the control interface, by its name in the contract. */
export const controlCall: Command = {
  name: "control",
  summary: "Make any call of the emulator's control interface",
  description: "Without arguments, lists the calls.",
  arguments: [
    { name: "call", description: "name of the call, such as voices.create", optional: true },
    { name: "id", description: "ID, name or number in the call's path", optional: true },
  ],
  flags: [
    { name: "query", value: "key=value", description: "Query parameter", repeatable: true },
    {
      name: "data",
      value: "json|@file",
      description: "Request body as JSON or YAML; @- reads standard input",
    },
    ...worldFlags,
  ],
  examples: [
    { command: "voxctl emulator control" },
    { command: "voxctl emulator control limits.list" },
    { command: "voxctl emulator control tables.rows groups --query limit=5" },
    {
      command:
        'voxctl emulator control voices.create --data \'{"name":"Alt","generation":"v1","selectable":false}\'',
    },
  ],
  async run(session, input) {
    const [name, id] = input.arguments;
    if (name === undefined) return listCalls(session);
    if (!isCall(name))
      throw usageError(`unknown call "${name}"`, {
        hint: `${meantOf(name, Object.keys(calls))}list the calls: \`voxctl emulator control\``,
      });
    const path = readPath(name, id);
    const data = input.text("data");
    const body = data === undefined ? undefined : await readData(data, session);
    await (isRead(name) ? readWorld : changeWorld)(session, input, async (control) => {
      const response = await control(name, { path, query: readQuery(input), body });
      if (Array.isArray(response)) await session.output.list(response, { columns: columnsOf(response[0]) });
      else await session.output.item(response);
    });
  },
};

async function listCalls(session: Session): Promise<void> {
  const rows = Object.entries(calls).map(([name, { method, path, summary }]) => ({
    name,
    method,
    path,
    summary,
  }));
  await session.output.list(rows, {
    columns: [
      { header: "CALL", value: "name", keep: true },
      { header: "METHOD", value: "method" },
      { header: "SUMMARY", value: "summary" },
    ],
  });
}

/** @throws usage error (2) when the call needs an ID and has none, or the other way round */
function readPath(name: ControlName, id: string | undefined): Record<string, string> {
  const [parameter] = pathParameters(calls[name].path);
  if (parameter === undefined) {
    if (id !== undefined) throw usageError(`too many arguments: ${name} takes no ID`);
    return {};
  }
  if (id === undefined) throw usageError(`missing argument <id>: ${name} is ${calls[name].path}`);
  return { [parameter]: id };
}

/** @throws usage error (2) that names the flag */
function readQuery(input: Input): Record<string, string> {
  return Object.fromEntries(
    input.texts("query").map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw usageError(`invalid --query "${text}": expected key=value`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** A column for each field of the first row. */
function columnsOf(row: object | undefined) {
  return Object.keys(row ?? {}).map((name) => ({
    header: name.toUpperCase(),
    value: name,
    keep: name === "id",
    optional: true,
  }));
}
