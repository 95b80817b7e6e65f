import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";

// Windows can't delete a directory that a process is using.
test.runIf(process.platform !== "win32")(
  "a command in a deleted working directory fails with a readable error",
  () => {
    const folder = temporaryFolder();
    const bin = join(import.meta.dirname, "../../bin/voxctl.js");
    const run = (...argv: string[]) =>
      spawnSync(
        "sh",
        ["-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", process.execPath, bin, ...argv],
        {
          cwd: folder,
          encoding: "utf8",
          env: { PATH: process.env["PATH"], HOME: folder },
        },
      );
    const listed = run("contacts", "import", "kunden.csv", "--group", "K", "-o", "table");
    expect([listed.status, listed.stdout]).toEqual([2, ""]);
    expect(listed.stderr).toBe(
      "error: the working directory was deleted\nhint: change to an existing directory\n",
    );
    expect(run("--version").status).toBe(0);
  },
);
