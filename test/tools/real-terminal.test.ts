import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { findMissingPrograms } from "./programs.js";

let missing: string | undefined;
beforeAll(() => {
  missing = findMissingPrograms("script");
});

const hostile = "a\u001b]52;c;aGk=\u0007\u009b31m\u202eb";

async function onTerminal(columns: number, ...lines: string[]): Promise<string> {
  const home = temporaryFolder();
  const program = `'${process.execPath}' '${join(import.meta.dirname, "../../bin/voxctl.js")}'`;
  const env = {
    ...{ PATH: process.env["PATH"], TERM: "xterm", HOSTILE: hostile, VOXCTL_KEYCHAIN: "off" },
    ...{ VOXCTL_CONFIG_DIR: join(home, "config"), VOXCTL_DATA_DIR: join(home, "data") },
  };
  const commands = lines.map((line) => `${program} ${line} --profile offline`);
  const { stdout } = await promisify(execFile)(
    "script",
    ["-qec", [`stty cols ${columns} rows 0`, ...commands, "true"].join("; "), "/dev/null"],
    { env, cwd: home },
  );
  return stdout;
}

test("a real terminal shows the service's text escaped and voxctl's colors unchanged", async (context) => {
  if (missing) return context.skip(missing);
  const screen = await onTerminal(
    100,
    'groups create --type contacts --name "$HOSTILE"',
    'contacts list --group "$HOSTILE"',
    "groups list --all",
    "groups list --all -o yaml",
    "groups list --all -o csv",
    'groups get "$HOSTILE" -o json',
    'groups get "x$HOSTILE"',
  );
  expect(screen).toContain("\\u001b]52;c;aGk=\\u0007\\u009b31m\\u202eb");
  expect(screen).toContain("\u001b[1mID");
  expect(screen).not.toMatch(/\u001b\]|[\u0007\u0080-\u009f\u202a-\u202e]/);
});

test("a real terminal that reports no width still shows the NAME column of a list", async (context) => {
  if (missing) return context.skip(missing);
  expect(await onTerminal(0, "groups list")).toMatch(/ID +NAME +TYPE +UPDATED/);
});
