import { isFields } from "../../../base/fields.js";
import { suggestName } from "../../../base/suggestions.js";
import { readData } from "../../../cli/derive/body.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { type Control, isRead } from "../../../client/control.js";
import { type ControlName, control as calls } from "../../../contract/control/control.js";
import { parsePathParameters } from "../../../contract/operation.js";
import { changeEmulator, emulatorFlags, findId, readEmulator } from "./control.js";

const isCall = (name: string): name is ControlName => Object.hasOwn(calls, name);

export const controlCall: Command = {
  name: "control",
  summary: "Send any request to the emulator's control interface",
  description: "Without arguments, lists the operations.",
  arguments: [
    {
      name: "call",
      description: "Operation name, such as voices.create",
      optional: true,
      choices: Object.keys(calls),
    },
    {
      name: "id",
      description: "ID, or the name or number of an assistant, or the name of an organization",
      optional: true,
    },
  ],
  flags: [
    { name: "query", value: "key=value", description: "Query parameter", repeatable: true },
    {
      name: "data",
      value: "json|@file",
      description: "Request body as JSON or YAML; @- reads standard input",
    },
    ...emulatorFlags,
  ],
  examples: [
    { command: "voxctl emulator control" },
    { command: "voxctl emulator control limits.list" },
    { command: `voxctl emulator control assistants.update Empfang --data '{"greeting_locked":true}'` },
    {
      command: `voxctl emulator control calls.create --data '{"assistant_id":"Empfang","duration_seconds":300}'`,
    },
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
      throw usageError(`unknown operation "${name}"`, {
        hint: `${suggestName(name, Object.keys(calls))}list the operations: \`voxctl emulator control\``,
      });
    const path = readPath(name, id);
    const data = input.text("data");
    const body = data === undefined ? undefined : await readData(data, session);
    await (isRead(name) ? readEmulator : changeEmulator)(session, input, async (control) => {
      const response = await control(name, {
        path: await resolveNames(control, path, pathLists[name]),
        query: readQuery(input),
        body: await resolveNames(control, body, bodyLists),
      });
      if (Array.isArray(response))
        await session.output.list(response, { columns: createColumns(response[0]) });
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

type ListName = Parameters<typeof findId>[1];

/** Path parameters for which the user can enter a name, each with the operation that lists the names. */
const pathLists: Readonly<Record<string, Readonly<Record<string, ListName>>>> = {
  "assistants.update": { id: "assistants.list" },
  "organizations.update": { id: "organizations.list" },
};

/** Body fields for which the user can enter a name, each with the operation that lists the names. */
const bodyLists: Readonly<Record<string, ListName>> = {
  assistant_id: "assistants.list",
  organization_id: "organizations.list",
};

/**
 * Replaces names with IDs in the fields that `lists` contains.
 * @throws not found (4), usage error (2) for an ambiguous name
 */
async function resolveNames<Fields>(
  control: Control,
  fields: Fields,
  lists: Readonly<Record<string, ListName>> = {},
): Promise<Fields> {
  if (!isFields(fields)) return fields;
  const ids: Record<string, string> = {};
  for (const [field, list] of Object.entries(lists)) {
    const value = fields[field];
    if (typeof value === "string") ids[field] = await findId(control, list, value);
  }
  return { ...fields, ...ids };
}

/** @throws usage error (2) if a required ID is missing or an unexpected ID was passed */
function readPath(name: ControlName, id: string | undefined): Record<string, string> {
  const [parameter] = parsePathParameters(calls[name].path);
  if (parameter === undefined) {
    if (id !== undefined) throw usageError(`too many arguments: ${name} accepts no ID`);
    return {};
  }
  if (id === undefined) throw usageError(`missing argument: <id> (path: ${calls[name].path})`);
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

function createColumns(row: object | undefined) {
  return Object.keys(row ?? {}).map((name) => ({
    header: name.toUpperCase(),
    value: name,
    keep: name === "id",
    optional: true,
  }));
}
