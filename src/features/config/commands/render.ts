import { notFoundError } from "../../../cli/errors/errors.js";
import { accessFlags } from "../../../cli/session/access-flags.js";
import type { Command } from "../../../cli/session/command.js";
import { openLocalAccess } from "../../../cli/session/folder-access.js";
import { withConfigErrors } from "./errors.js";
import { folderFlag, targetFlag } from "./flags.js";
import { openCommandFolder, readTargetNames } from "./target-context.js";

export const render: Command = {
  name: "render",
  summary: "Print a resource's values for a target",
  description: "Requires no connection. Secrets and environment values are printed as references.",
  arguments: [{ name: "key", description: "Key of the resource" }],
  flags: [targetFlag, folderFlag, ...accessFlags],
  examples: [{ command: "voxctl config render --target prod assistants/empfang" }],
  run: (session, input) =>
    withConfigErrors(async () => {
      const { declareChecked, shownSealed, targetOf } = await import("../index.js");
      const folder = await openCommandFolder(session, input);
      const [key = ""] = input.arguments;
      for (const target of readTargetNames(input)) {
        const access = await openLocalAccess(session, input, targetOf(folder, target).profile, folder.root);
        const { objects } = declareChecked(folder, target, { env: session.io.env, access });
        const object = objects.get(key.normalize("NFC"));
        if (object === undefined) throw notFoundError(`key ${key} not found in ${target}`);
        const { group, fields, sealed, secrets } = object;
        await session.output.item({
          key: object.key,
          target,
          ...(group === undefined ? {} : { group }),
          fields: Object.fromEntries(
            [...fields].map(([field, value]) => [
              field,
              sealed.has(field) ? shownSealed(sealed.get(field)) : value,
            ]),
          ),
          ...(secrets.size === 0 ? {} : { secrets: Object.fromEntries(secrets) }),
        });
      }
    }),
};
