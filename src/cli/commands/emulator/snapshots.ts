import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { changeWorld, confirmLoss, controlCommand, withoutUndefined, worldFlags } from "./control.js";

const name = { name: "name", description: "the snapshot's name" };

const pathOf = (input: Input) => ({ name: input.arguments[0] ?? "" });

export const snapshotCommands: readonly Command[] = [
  controlCommand({
    name: "list",
    call: "snapshots.list",
    examples: [{ command: "voxctl emulator snapshots list" }],
    view: {
      columns: [
        { header: "NAME", value: "name", keep: true },
        { header: "TIME OF THE WORLD", value: "taken_at" },
      ],
      empty: "no snapshots",
    },
  }),
  controlCommand({
    name: "create",
    call: "snapshots.create",
    arguments: [{ ...name, optional: true }],
    examples: [{ command: "voxctl emulator snapshots create before-import" }],
    input: (input) => ({ body: withoutUndefined({ name: input.arguments[0] }) }),
  }),
  {
    name: "restore",
    summary: "Make the world what it was, its clock included",
    arguments: [name],
    flags: worldFlags,
    examples: [{ command: "voxctl emulator snapshots restore before-import --yes" }],
    run: (session, input) =>
      changeWorld(session, input, async (control, world) => {
        await confirmLoss(
          session,
          world,
          `Everything that came after the snapshot "${input.arguments[0]}" will be lost. Go on?`,
        );
        await session.output.item(await control("snapshots.restore", { path: pathOf(input) }));
      }),
  },
  {
    name: "delete",
    summary: "Delete a snapshot; the world stays as it is",
    arguments: [name],
    flags: worldFlags,
    examples: [{ command: "voxctl emulator snapshots delete before-import --yes" }],
    run: (session, input) =>
      changeWorld(session, input, async (control, world) => {
        await confirmLoss(session, world, `Delete the snapshot "${input.arguments[0]}"?`);
        await session.output.item(await control("snapshots.delete", { path: pathOf(input) }));
      }),
  },
];
