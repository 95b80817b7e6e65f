import { addIgnoreNotFoundFlag } from "../../../cli/derive/ignore-not-found.js";
import { notFoundError } from "../../../cli/errors/errors.js";
import { refuseInRehearsal } from "../../../cli/profiles/rehearsal-file.js";
import type { Command } from "../../../cli/session/command.js";
import { confirmLocally } from "../../../cli/session/confirm.js";
import { deleteMirror, describeMirror } from "../../../cli/session/mirrors.js";
import { removeFinishedRehearsals } from "../../../cli/session/running-rehearsals.js";

export const deleteCommand: Command = addIgnoreNotFoundFlag({
  name: "delete",
  summary: "Delete a mirror from this machine",
  description: "Also deletes the results files of finished rehearsals, because they contain personal data.",
  arguments: [{ name: "name", description: "Name of the mirror" }],
  confirms: true,
  confirmsLocally: true,
  examples: [{ command: "voxctl mirror delete acme --yes" }],
  async run(session, input) {
    refuseInRehearsal(session.io.env, "mirror delete");
    const [name = ""] = input.arguments;
    const mirror = await describeMirror(session, name);
    if (!mirror)
      throw notFoundError(`mirror "${name}" not found`, "to list mirrors, run `voxctl mirror list`");
    await confirmLocally(session, `Delete mirror "${name}"?`);
    deleteMirror(mirror);
    removeFinishedRehearsals(session.folders);
    await session.output.item({ name, deleted: true });
  },
});
