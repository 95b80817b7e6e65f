import { userInfo } from "node:os";
import { describe, expect, test, vi } from "vitest";
import { isDeviceName, isFileName, withoutDeviceName } from "../../src/base/file-names.js";
import { quoteWord } from "../../src/base/shell-words.js";
import { createStart } from "../../src/base/windows-command.js";
import { formatName } from "../../src/cli/nouns/calls/recording/names.js";
import { findFolders, findUnwritableHint } from "../../src/cli/profiles/folders.js";
import { slugOf } from "../../src/features/config/folder/keys.js";
import { commandLine } from "../helpers/cli.js";

describe("differences between operating systems", () => {
  const folders = (platform: NodeJS.Platform, env: Record<string, string>) => findFolders({ env }, platform);

  test("voxctl uses the directories that Windows or XDG specifies", () => {
    const env = {
      USERPROFILE: "C:\\Users\\anna",
      APPDATA: "C:\\Users\\anna\\AppData\\Roaming",
      LOCALAPPDATA: "C:\\Users\\anna\\AppData\\Local",
    };
    expect(folders("win32", env)).toEqual({
      config: "C:\\Users\\anna\\AppData\\Roaming\\voxctl",
      data: "C:\\Users\\anna\\AppData\\Local\\voxctl",
    });
    expect(folders("win32", { ...env, XDG_CONFIG_HOME: "D:\\x" }).config).toBe("D:\\x\\voxctl");
    expect(folders("win32", { ...env, APPDATA: "Roaming" }).config).toBe("C:\\Users\\anna\\.config\\voxctl");
    expect(folders("linux", { HOME: "/home/anna", APPDATA: "/x" }).config).toBe("/home/anna/.config/voxctl");
    expect(folders("darwin", { HOME: "/Users/anna" })).toEqual({
      config: "/Users/anna/.config/voxctl",
      data: "/Users/anna/.local/share/voxctl",
    });
  });

  test("an empty HOME is treated like an unset HOME", () => {
    vi.stubEnv("HOME", "");
    const expected = { config: `${userInfo().homedir}/.config/voxctl`, data: expect.any(String) };
    expect(folders("linux", { HOME: "" })).toEqual(expected);
    expect(folders("linux", {})).toEqual(expected);
    vi.unstubAllEnvs();
  });

  test("~ is expanded in VOXCTL_CONFIG_DIR and VOXCTL_DATA_DIR", () => {
    const env = { HOME: "/home/anna", VOXCTL_CONFIG_DIR: "~", VOXCTL_DATA_DIR: "~/data/voxctl" };
    expect(folders("linux", env)).toEqual({ config: "/home/anna", data: "/home/anna/data/voxctl" });
    const windows = { USERPROFILE: "C:\\Users\\anna", VOXCTL_CONFIG_DIR: "~\\c", VOXCTL_DATA_DIR: "D:\\d" };
    expect(folders("win32", windows)).toEqual({ config: "C:\\Users\\anna\\c", data: "D:\\d" });
  });

  test.each(["data", "./data", "~anna/data", "$HOME/data"])(
    "voxctl refuses the relative directory %s",
    (path) => {
      const env = { HOME: "/home/anna", VOXCTL_DATA_DIR: path };
      expect(() => folders("linux", env)).toThrow(
        `invalid VOXCTL_DATA_DIR "${path}": expected an absolute path`,
      );
    },
  );

  test("the error for an unwritable directory names the variable to set", () => {
    const env = { HOME: "/home/anna", VOXCTL_CONFIG_DIR: "/etc/voxctl" };
    const hint = (code: string, path: string) =>
      findUnwritableHint(new Error("failed", { cause: Object.assign(new Error(code), { code, path }) }), {
        env,
      });
    expect(hint("EACCES", "/home/anna/.local/share/voxctl")).toBe(
      "set VOXCTL_DATA_DIR to a writable directory",
    );
    expect(hint("EROFS", "/etc/voxctl/config.json.tmp")).toBe(
      "set VOXCTL_CONFIG_DIR to a writable directory",
    );
    expect(hint("EACCES", "/home")).toBe("set VOXCTL_DATA_DIR to a writable directory");
    expect(hint("ENOTDIR", "/home/anna/.local/share/voxctl/offline.db")).toBe(
      "set VOXCTL_DATA_DIR to a writable directory",
    );
    expect(hint("EACCES", "/home/anna/kunden.csv")).toBeUndefined();
    expect(hint("ENOENT", "/home/anna/.local/share/voxctl")).toBeUndefined();
  });

  test.each([
    [{ HOME: "/proc/self" }],
    [{ HOME: "/home/anna", VOXCTL_DATA_DIR: "/proc/nope" }],
    [{ HOME: "/home/anna", XDG_CONFIG_HOME: "/sys/x" }],
  ])("voxctl refuses data directories in /proc and /sys: %j", (env) => {
    expect(() => folders("linux", env)).toThrow("cannot store files in");
  });

  test("commands in hints are quoted for the shell of the operating system", () => {
    const on = (platform: NodeJS.Platform) => (word: string) => quoteWord(word, platform);
    expect(["Patienten", "two words", "it's", "$HOME", "a,b"].map(on("linux"))).toEqual([
      "Patienten",
      "'two words'",
      "'it'\\''s'",
      "'$HOME'",
      "a,b",
    ]);
    expect(
      [
        "Patienten",
        "C:\\a\\b.csv",
        "two words",
        "it's",
        "$HOME",
        "a,b",
        "C:\\my files\\",
        'say "so"',
        "",
      ].map(on("win32")),
    ).toEqual([
      "Patienten",
      "C:\\a\\b.csv",
      '"two words"',
      '"it\'s"',
      "'$HOME'",
      '"a,b"',
      '"C:\\my files\\\\"',
      "'say \"so\"'",
      '""',
    ]);
  });

  test("`emulator exec` on Windows runs a cmd script through cmd with unchanged arguments", () => {
    expect(createStart("npm", ["test"], "linux")).toEqual({ program: "npm", args: ["test"], shell: false });
    const direct = createStart("C:\\my node\\node.exe", ["-p", "1"], "win32");
    expect(direct).toEqual({ program: "C:\\my node\\node.exe", args: ["-p", "1"], shell: false });
    const { program, args, shell } = createStart(
      "npm",
      ["run", "a b", 'say "x"', "C:\\d\\", "%PATH%"],
      "win32",
    );
    expect([args, shell]).toEqual([[], true]);
    // The text that cmd passes to the program after it removes its own escapes.
    expect(program.replace(/\^(.)/g, "$1")).toBe('npm "run" "a b" "say \\"x\\"" "C:\\d\\\\" "%PATH%"');
    expect(program).toContain("^%PATH^%");
  });

  test("names of Windows devices are detected regardless of case and extension", () => {
    for (const name of ["CON", "nul", "Aux.txt", "com1", "LPT9.md", "con.a.b"])
      expect([name, isDeviceName(name), isFileName(name)]).toEqual([name, true, false]);
    for (const name of ["console", "com", "com10", "nullable", "a.con"])
      expect([name, isDeviceName(name), isFileName(name)]).toEqual([name, false, true]);
    expect(["acme.", ".acme", "a b", ""].map(isFileName)).toEqual([false, false, false, false]);
    expect(withoutDeviceName("nul.md")).toBe("_nul.md");
  });

  test("voxctl never creates a file with the name of a Windows device", async () => {
    expect(formatName("{assistant}.{id}", { id: "7" }, "7", "Con")).toBe("_Con.7");
    expect(slugOf("Aux")).toBe("aux-1");
    const { run } = commandLine();
    for (const words of [
      ["profiles", "add", "nul", "--offline"],
      ["profiles", "add", "acme.", "--offline"],
      ["mirror", "delete", "CON", "--yes"],
    ]) {
      const refused = await run(...words);
      expect([words, refused.code, refused.stderr]).toEqual([
        words,
        2,
        expect.stringContaining("such as CON"),
      ]);
    }
  });

  test("two profiles whose names differ only in case are refused", async () => {
    const { run } = commandLine();
    expect((await run("profiles", "add", "Acme", "--offline")).code).toBe(0);
    const twin = await run("profiles", "add", "acme", "--offline");
    expect([twin.code, twin.stderr]).toEqual([
      2,
      expect.stringContaining('from profile "Acme" only in upper and lower case'),
    ]);
    expect((await run("profiles", "add", "Offline", "--offline")).code).toBe(2);
    expect((await run("profiles", "add", "Acme", "--offline")).code).toBe(0);
  });
});
