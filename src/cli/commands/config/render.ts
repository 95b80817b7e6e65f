import { notFoundError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { withConfigErrors } from "./errors.js";
import { folderFlag, targetFlag } from "./flags.js";
import { openCommandFolder, targetNames } from "./place.js";

export const render: Command = {
  name: "render",
  summary: "Print a thing's values for a target, with overlay and variables",
  description: "Without network. Secrets are printed as references, never as values.",
  arguments: [{ name: "key", description: "its key" }],
  flags: [targetFlag, folderFlag],
  examples: [{ command: "voxctl config render --target prod assistants/empfang" }],
  run: (session, input) =>
    withConfigErrors(async () => {
      const { declareChecked } = await import("../../../config/index.js");
      const folder = await openCommandFolder(session, input);
      const [key = ""] = input.arguments;
      for (const target of targetNames(input)) {
        const { objects } = declareChecked(folder, target, session.io.env);
        const object = objects.get(key.normalize("NFC"));
        if (object === undefined) throw notFoundError(`${target} has no ${key}`);
        const { group, fields, secrets } = object;
        await session.output.item({
          key: object.key,
          target,
          ...(group === undefined ? {} : { group }),
          fields: Object.fromEntries(fields),
          ...(secrets.size === 0 ? {} : { secrets: Object.fromEntries(secrets) }),
        });
      }
    }),
};
