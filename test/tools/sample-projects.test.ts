import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "sample-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function exec(project: string, command: readonly string[]) {
  const folder = join(home, project);
  cpSync(join(root, "docs/examples", project), folder, { recursive: true });
  const { PATH = "" } = process.env;
  const ran = spawnSync(
    process.execPath,
    [join(root, "bin/voxctl.js"), "emulator", "exec", "--seed", "empty", "--", ...command],
    {
      cwd: folder,
      encoding: "utf8",
      env: { PATH, HOME: home, VOXCTL_CONFIG_DIR: join(home, "c"), VOXCTL_DATA_DIR: join(home, "d") },
    },
  );
  return { code: ran.status, said: ran.stdout + ran.stderr };
}

describe("a sample project of docs/examples in `emulator exec`", () => {
  it("the JavaScript sample project passes in `emulator exec`, with Node.js's test runner", () => {
    const { code, said: output } = exec("webhook-node", ["npm", "test", "--silent"]);
    expect([code, output]).toEqual([0, expect.stringMatching(/pass 2/)]);
  });

  it("`emulator exec` exits with the exit code of a sample project's failed tests", () => {
    const { code } = exec("webhook-node", ["node", "-e", "process.exit(3)"]);
    expect(code).toBe(3);
  });

  const pytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
  // Needs pytest.
  it.skipIf(!pytest)("the Python sample project passes in `emulator exec`, with pytest", () => {
    const { code, said: output } = exec("python", [
      "python3",
      "-m",
      "pytest",
      "-q",
      "-p",
      "no:cacheprovider",
    ]);
    expect([code, output]).toEqual([0, expect.stringContaining("4 passed")]);
  });

  const curl = spawnSync("sh", ["-c", "curl --version"]).status === 0;
  // Needs curl and a shell.
  it.skipIf(!curl)("the shell sample project passes in `emulator exec`, with curl", () => {
    const { code, said: output } = exec("shell", ["sh", "smoke.sh"]);
    expect([code, output]).toEqual([0, expect.stringContaining("refused: a contact without a name")]);
  });
});
