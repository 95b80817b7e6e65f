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
  summary: "Bring the files into their canonical form",
  description:
    "Fields in the order of the schema, line feeds as line ends, one at a file's end. Comments stay with the field below them, texts stay as they are. Only what has to change is written. The schemas in .voxctl/schema, where they are there, become those of this voxctl.",
  flags: [
    folderFlag,
    { name: "check", description: "write nothing; end with 10 where a file is not in its form" },
  ],
  examples: [{ command: "voxctl config fmt" }, { command: "voxctl config fmt --check", note: "in CI" }],
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
          empty: "every file is in its form",
          noun: "file",
        },
      );
      if (!isCheck || files.length === 0) return;
      throw new CliError({
        exit: exits.differences,
        code: "config_differs",
        message: `${formatCount(files.length, "file")} ${files.length === 1 ? "is" : "are"} not in canonical form`,
        hint: "voxctl config fmt writes it",
      });
    }),
};
