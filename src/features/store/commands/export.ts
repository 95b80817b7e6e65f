import { resolve } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import { formatCount } from "../../../base/text.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { requireStore, withStore } from "./connect.js";

export const exportStore: Command = {
  name: "export",
  summary: "Export runs to local journals, for use without the store",
  description:
    "Writes each run as a decrypted SQLite file, which contains personal data. Exported runs stay in the store. Resume a run from the store or from its file, but not from both.",
  arguments: [
    { name: "run", description: "Run ID; omit it with --all" },
    { name: "directory", description: "Directory for the journals", optional: true },
  ],
  flags: [{ name: "all", description: "Export all runs" }],
  examples: [
    { command: "voxctl store export 2aa82de186e4 ./runs" },
    { command: "voxctl store export --all ./runs" },
  ],
  run: (session, input) =>
    withRefusals(async () => {
      const isAll = input.on("all") === true;
      const [run, directory, ...rest] = isAll ? [undefined, ...input.arguments] : input.arguments;
      if (directory === undefined || rest.length > 0)
        throw usageError(
          isAll ? "--all accepts only one argument: the directory" : "missing argument: directory",
        );
      const folder = resolve(session.io.cwd, directory);
      const settings = await requireStore(session);
      const { exportRuns } = await import("../../../store/index.js");
      await makePrivateFolder(folder);
      const runs = await withStore(settings, (store) => exportRuns(store, run, folder));
      await session.output.item({ directory: folder, runs });
      session.notes.note(
        `Exported ${formatCount(runs.length, "run")}. To use the runs on a machine without the store, copy the files to ${getRunsFolder(session)}.`,
      );
    }),
};
