import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openEmulator } from "../../src/emulator/index.js";
import { commandLine, temporaryFolder } from "../helpers/cli.js";

const ping = async (emulator: Awaited<ReturnType<typeof openEmulator>>, key: string) =>
  (await emulator.fetch("ping", { headers: { authorization: `Bearer ${key}` } })).status;

describe("keys from options of the emulator", () => {
  test("keys from options replace the stored keys until the emulator is closed", async () => {
    const db = join(temporaryFolder(), "world.db");
    const own = await openEmulator({ db });
    const { admin, viewer } = own.startLine.keys;
    await own.close();
    const given = await openEmulator({ db, keys: { admin: "constant-admin", viewer: "constant-viewer" } });
    expect(given.startLine.keys).toMatchObject({ admin: "constant-admin", viewer: "constant-viewer" });
    await given.control("POST", "/reset", {});
    expect([await ping(given, "constant-admin"), await ping(given, admin)]).toEqual([200, 401]);
    await given.close();
    const later = await openEmulator({ db });
    expect(later.startLine.keys).toMatchObject({ admin, viewer });
    expect([await ping(later, admin), await ping(later, "constant-admin")]).toEqual([200, 401]);
    await later.close();
  });

  test("keys from options can be swapped between roles", async () => {
    const db = join(temporaryFolder(), "world.db");
    await (await openEmulator({ db, keys: { admin: "constant-one", viewer: "constant-two" } })).close();
    await using emulator = await openEmulator({
      db,
      keys: { admin: "constant-two", viewer: "constant-one" },
    });
    expect(emulator.startLine.keys).toMatchObject({ admin: "constant-two", viewer: "constant-one" });
    expect(await ping(emulator, "constant-two")).toBe(200);
  });

  test.each([
    [{ nobody: "constant-key" }, "contain the unknown key nobody"],
    [
      { admin: "short" },
      "must consist of 8 to 200 visible ASCII characters, but the value for admin does not",
    ],
    [{ admin: "with a space" }, "must consist of 8 to 200 visible"],
    [{ legacy: "constant-legacy" }, "must contain a legacy key that starts with vak_"],
    [{ admin: "constant-key", viewer: "constant-key" }, "must differ"],
  ])("invalid keys from options are refused: %j", async (keys: object, message) => {
    await expect(openEmulator({ keys })).rejects.toThrow(message);
  });

  test("invalid keys from flags or the environment are refused without showing their values", async () => {
    const { run, runWith } = commandLine();
    const print = ["--", process.execPath, "-p", "process.env.VOXCTL_API_KEY"];
    const printed = await run("emulator", "exec", "--seed", "empty", "--key", "admin=sh", ...print);
    expect([printed.code, printed.stderr]).toEqual([
      2,
      expect.stringContaining("--key: keys must consist of 8 to 200"),
    ]);
    const env = { VOXCTL_EMULATOR_KEYS: "admin=constant-admin,viewer=" };
    const missing = await runWith({ env }, "emulator", "exec", ...print);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining("invalid VOXCTL_EMULATOR_KEYS: expected NAME=VALUE"),
    ]);
    expect(missing.stderr).not.toContain("constant-admin");
  });
});
