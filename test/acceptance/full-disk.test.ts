import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo, temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { bin } from "../helpers/installed-cli.js";
import { copyOfflineDatabase, openSeededEmulator } from "../helpers/templates.js";

/** To SQLite, reaching the limit on file sizes is a disk failure. */
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

// Needs bash on Linux, to ignore a signal and to limit the file size in kilobytes.
describe.skipIf(process.platform !== "linux")("a full disk", () => {
  test.each([8, 64, 200, 320])(
    "if the disk is full after %s KiB, an import exits with code 9 and names the file",
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

  test("an import exits with code 75 if the disk fills up after the group was created", async () => {
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

// Only Linux has /dev/full.
test.skipIf(process.platform !== "linux").each(["--report", "--rejects"])(
  "if the %s file of an import fills the disk, the error names that file",
  async (flag) => {
    const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
    const { runWith, home } = commandLine({ overrides: connectedTo(emulator) });
    writeFileSync(join(home, "in.csv"), "first_name,phone\nA,no number\n");
    const argv = ["contacts", "import", "in.csv", "--group", "Default", flag, "/dev/full"];
    const { code, stderr } = await runWith({}, ...argv, "--profile", "offline");
    expect(code).toBe(9);
    expect(stderr).toContain(`error: ${flag}: /dev/full can't be written: no space left on the disk\n`);
  },
);

/** Runs a shell script in a separate namespace, in which it may mount file systems. */
function inNamespace(home: string, script: string) {
  const { PATH } = inheritedEnvironment();
  return spawnSync("unshare", ["-rm", "sh", "-c", script, process.execPath, bin], {
    encoding: "utf8",
    env: { PATH, HOME: home, VOXCTL_KEYCHAIN: "off", NODE_DISABLE_COMPILE_CACHE: "1" },
  });
}

function withReadOnlyHome(script: string) {
  const mount = 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && cd /';
  return inNamespace(temporaryFolder(), `${mount} && ${script}`);
}

const hasNamespaces = spawnSync("unshare", ["-rm", "true"]).status === 0;

// Some systems don't allow namespaces.
test.skipIf(!hasNamespaces)("if a plan file doesn't fit on the disk, the error names the file", () => {
  const home = temporaryFolder();
  const rows = Array.from({ length: 300 }, (_, row) => `Name ${row},+49151${2_000_000 + row}`);
  writeFileSync(join(home, "in.csv"), `first_name,phone\n${rows.join("\n")}\n`);
  mkdirSync(join(home, "full"));
  const { status, stderr } = inNamespace(
    home,
    `cd "$HOME" && mount -t tmpfs -o size=8k tmpfs full && "$0" "$1" contacts import in.csv --group Default --profile offline --plan full/k.plan`,
  );
  expect([status, stderr]).toEqual([
    9,
    expect.stringContaining("k.plan can't be written: no space left on the disk\n"),
  ]);
});

// Some systems don't allow namespaces.
test.skipIf(!hasNamespaces)("the error in a read-only home directory names the variable to set", () => {
  const { status, stderr } = withReadOnlyHome(
    `echo phone | "$0" "$1" contacts import - --group X --profile offline -o json`,
  );
  expect(status).toBe(2);
  expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
    message: expect.stringMatching(/\.local can't be used: the file system is read-only$/),
    outcome: "none",
    hint: "set VOXCTL_DATA_DIR to a writable directory",
  });
});

// Some systems don't allow namespaces.
test.skipIf(!hasNamespaces).each([
  [
    "the configuration",
    'VOXCTL_CONFIG_DIR="$HOME/full"',
    "profiles add acme --url https://voice.example.com/api/v1 --key-env HOME --no-check",
  ],
  ["an export", "", "contacts export full/a.csv --group Patienten --profile offline"],
])("if the disk is full, the error names the path: %s", (_, variable, command) => {
  const home = temporaryFolder();
  mkdirSync(join(home, "full"));
  const fill = "mount -t tmpfs -o size=8k tmpfs full && { head -c 9000 /dev/zero > full/fill || true; }";
  const { status, stderr } = inNamespace(home, `cd "$HOME" && ${fill} && ${variable} "$0" "$1" ${command}`);
  expect([status, stderr]).toEqual([
    9,
    expect.stringMatching(/\/full\S* can't be (?:used|written): no space left on the disk\n/),
  ]);
});
