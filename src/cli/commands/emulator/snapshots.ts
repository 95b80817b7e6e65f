import type { Command } from "../../session/command.js";
import {
  changeWorld,
  confirmLoss,
  controlCommand,
  segment,
  withoutUndefined,
  worldFlags,
} from "./control.js";

const name = { name: "name", description: "the snapshot's name" };

export const snapshotCommands: readonly Command[] = [
  controlCommand({
    name: "list",
    reads: true,
    summary: "List the world's snapshots",
    examples: [{ command: "voxctl emulator snapshots list" }],
    list: true,
    view: {
      columns: [
        { header: "NAME", value: "name", keep: true },
        { header: "TIME OF THE WORLD", value: "taken_at" },
      ],
      empty: "no snapshots",
    },
    call: () => ({ method: "GET", path: "/snapshots" }),
  }),
  controlCommand({
    name: "create",
    summary: "Keep the world as it is now",
    arguments: [{ ...name, optional: true }],
    examples: [{ command: "voxctl emulator snapshots create before-import" }],
    call: (input) => ({
      method: "POST",
      path: "/snapshots",
      body: withoutUndefined({ name: input.arguments[0] }),
    }),
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
        await session.output.item(await control("POST", `/snapshots/${segment(input)}/restore`, {}));
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
        await session.output.item(await control("DELETE", `/snapshots/${segment(input)}`));
      }),
  },
];
