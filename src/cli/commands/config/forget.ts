import { notFoundError, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { withConfigErrors } from "./errors.js";
import { folderFlag, lockFlag, targetFlag } from "./flags.js";
import { openCommandFolder, openLock, readTargetNames } from "./target-context.js";

export const forget: Command = {
  name: "forget",
  summary: "Unbind resources from the directory without deleting them",
  description:
    "Items of a group are unbound with it. Files of unbound resources are no longer compared until you adopt them.",
  arguments: [{ name: "key", description: "Keys to unbind", variadic: true }],
  flags: [targetFlag, folderFlag, lockFlag],
  examples: [{ command: "voxctl config forget --target prod prompts/alt" }],
  run: (session, input) =>
    withConfigErrors(async () => {
      const { isWithin, writeLockFile } = await import("../../../config/index.js");
      if (input.arguments.length === 0) throw usageError("missing argument: <key>");
      const folder = await openCommandFolder(session, input);
      const forgotten: { target: string; keys: string[] }[] = [];
      for (const target of readTargetNames(input)) {
        const lockFile = await openLock(session, input, folder, target);
        const { lines } = lockFile.lock;
        const unknown = input.arguments.find(
          (key) => ![...lines.keys()].some((lockedKey) => isWithin(lockedKey, [key])),
        );
        if (unknown !== undefined) throw notFoundError(`key ${unknown} not found in ${lockFile.shown}`);
        const keys = [...lines.keys()].filter((key) => isWithin(key, input.arguments));
        for (const key of keys) lines.delete(key);
        await writeLockFile(lockFile);
        forgotten.push({ target, keys });
      }
      const [first] = forgotten;
      await session.output.item(
        forgotten.length === 1 && first !== undefined ? first : { targets: forgotten },
      );
    }),
};
