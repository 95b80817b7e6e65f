import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { bin } from "../helpers/installed-cli.js";
import { copyOfflineDatabase } from "../helpers/templates.js";

/** Runs the built command with a maximum file size. SQLite treats this as a disk failure. */
async function withLargestFile(kilobytes: number, ...argv: string[]) {
  const home = temporaryFolder();
  const data = join(home, "data");
  mkdirSync(data);
  await copyOfflineDatabase(data);
  const rows = Array.from({ length: 1_500 }, (_, row) => `Name ${row},+49151${2_000_000 + row}`);
  writeFileSync(join(home, "in.csv"), `first_name,phone\n${rows.join("\n")}\n`);
  const limited = `trap "" XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`;
  const { status, stderr } = spawnSync("bash", ["-c", limited, process.execPath, bin, ...argv], {
    cwd: home,
    encoding: "utf8",
    env: {
      ...inheritedEnvironment(),
      HOME: home,
      VOXCTL_CONFIG_DIR: join(home, "config"),
      VOXCTL_DATA_DIR: data,
      VOXCTL_KEYCHAIN: "off",
      VOXCTL_PROFILE: "offline",
      NODE_DISABLE_COMPILE_CACHE: "1",
    },
  });
  return { status, stderr };
}

// Needs bash on Linux: an ignored signal, and a file size limit in kilobytes.
describe.skipIf(process.platform !== "linux")("a full disk", () => {
  test.each([8, 64, 200, 320])(
    "an import that fills the disk while planning exits with code 9 and names the file: %s KiB",
    async (kilobytes) => {
      const { status, stderr } = await withLargestFile(
        kilobytes,
        "contacts",
        "import",
        "in.csv",
        "--group",
        "Default",
      );
      expect([status, stderr]).toEqual([
        9,
        expect.stringMatching(/\.(sqlite|db) can't be used: the disk can't be read or written/),
      ]);
    },
  );

  test("if the disk fills up after an import has created its group, the exit code is 75", async () => {
    const argv = ["contacts", "import", "in.csv", "--group", "Neu", "--create-group"];
    const { status, stderr } = await withLargestFile(200, ...argv);
    expect([status, stderr]).toEqual([75, expect.stringContaining("the disk can't be read or written")]);
  });

  test("`emulator start` exits with code 9 if its database can't be created on a full disk", async () => {
    const { status, stderr } = await withLargestFile(
      100,
      "emulator",
      "start",
      "--db",
      "new.db",
      "--port",
      "0",
    );
    expect([status, stderr]).toEqual([9, expect.stringContaining("new.db can't be used")]);
  });
});
