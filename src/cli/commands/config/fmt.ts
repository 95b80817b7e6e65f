import { join } from "node:path";
import { formatCount } from "../../../base/text.js";
import { CliError, exits } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { withConfigErrors } from "./errors.js";
import { folderFlag } from "./flags.js";
import { updateSchemas } from "./schema-files.js";
import { openCommandFolder } from "./target-context.js";

export const fmt: Command = {
  name: "fmt",
  summary: "Format the files of the directory",
  description:
    "Sorts fields in the order of the schema and normalizes line endings. Comments stay with the field below them, and texts are unchanged. If the directory has schemas in .voxctl/schema, they are updated.",
  flags: [
    folderFlag,
    { name: "check", description: "Exit with code 10 if a file is not formatted, without changing files" },
  ],
  examples: [{ command: "voxctl config fmt" }, { command: "voxctl config fmt --check", note: "In a CI job" }],
  verdict: true,
  run: (session, input) =>
    withConfigErrors(async () => {
      const { formatFolder, replaceFile } = await import("../../../config/index.js");
      const folder = await openCommandFolder(session, input);
      const changed = formatFolder(folder);
      const isCheck = input.on("check") === true;
      if (!isCheck) {
        for (const [path, text] of changed) await replaceFile(join(folder.root, path), text);
        await updateSchemas(folder.root);
      }
      const files = [...changed.keys()];
      await session.output.list(
        files.map((file) => ({ file })),
        {
          columns: [{ header: "FILE", value: "file", keep: true }],
          empty: "All files are formatted.",
          noun: "file",
        },
      );
      if (!isCheck || files.length === 0) return;
      throw new CliError({
        exit: exits.differences,
        code: "config_differs",
        message: `${formatCount(files.length, "file")} ${files.length === 1 ? "is" : "are"} not formatted`,
        hint: "format the files: `voxctl config fmt`",
      });
    }),
};
