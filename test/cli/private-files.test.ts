import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const callId = "65f1a0b2c3d4e5f601234568";

async function practice() {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const { run, home } = shell;
  const at = (...names: string[]) => join(home, ...names);
  const victim = at("victim");
  writeFileSync(victim, "a file of somebody's");
  const download = (...flags: string[]) => run("calls", "recording", "download", callId, ...flags);
  const untouched = () => expect(readFileSync(victim, "utf8")).toBe("a file of somebody's");
  return { ...shell, emulator, at, victim, download, untouched };
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

// On Windows, files have no modes, and users can't create links.
describe.skipIf(process.platform === "win32")("files that a command writes", () => {
  test("a download never writes through a link at its .part path", async () => {
    const { at, victim, download, untouched } = await practice();
    for (const target of [victim, at("nowhere")]) {
      symlinkSync(target, at("call.flac.part"));
      expect((await download("--out", "call.flac", "--force")).code).toBe(0);
      expect([lstatSync(at("call.flac")).isFile(), existsSync(at("nowhere"))]).toEqual([true, false]);
      untouched();
    }
  });

  test.each(["symbolic link", "hard link"])(
    "a download does not resume a .part file that is a %s",
    async (linkType) => {
      const { at, download } = await practice();
      expect((await download("--out", "whole.flac")).code).toBe(0);
      const begun = readFileSync(at("whole.flac")).subarray(0, 5_000);
      writeFileSync(at("elsewhere"), begun);
      (linkType === "hard link" ? linkSync : symlinkSync)(at("elsewhere"), at("call.flac.part"));
      const refused = await download("--out", "call.flac");
      expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("call.flac.part")]);
      expect(readFileSync(at("elsewhere")).equals(begun)).toBe(true);
      expect((await download("--out", "call.flac", "--force")).code).toBe(0);
      expect(readFileSync(at("elsewhere")).equals(begun)).toBe(true);
      // `toEqual` takes seconds for this many bytes.
      expect(readFileSync(at("call.flac")).equals(readFileSync(at("whole.flac")))).toBe(true);
    },
  );

  test("a snapshot's file is readable only by its owner", async () => {
    const { run, home } = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
    const file = join(home, "state.json");
    writeFileSync(file, "{}", { mode: 0o644 });
    expect((await run("contacts", "list")).code).toBe(0);
    expect((await run("emulator", "snapshots", "create", "now")).code).toBe(0);
    const exporting = ["emulator", "snapshots", "export", "now", "state.json", "--secrets"];
    expect((await run(...exporting)).code).toBe(12);
    expect((await run(...exporting, "--force")).code).toBe(0);
    expect(modeOf(file)).toBe("600");
  });

  test("a download to a symbolic link overwrites the link's target and keeps the link", async () => {
    const { at, download } = await practice();
    expect((await download("--out", "whole.flac")).code).toBe(0);
    const whole = readFileSync(at("whole.flac"));
    mkdirSync(at("disk"));
    writeFileSync(at("disk", "call.flac"), whole.subarray(0, 5_000));
    symlinkSync(at("disk", "call.flac"), at("link.flac"));
    expect((await download("--out", "link.flac", "--force")).code).toBe(0);
    expect(lstatSync(at("link.flac")).isSymbolicLink()).toBe(true);
    expect(readFileSync(at("disk", "call.flac")).equals(whole)).toBe(true);
    expect(readdirSync(at("disk"))).toEqual(["call.flac"]);
  });

  test.each([
    ["its own name", [callId]],
    ["a name that the user chose", [callId, "--out", "2026-05-01.flac"]],
    ["the name in a period", []],
  ])("a download creates no file through a dangling link at %s", async (_, chosen) => {
    const { run, at } = await practice();
    const { created_at: createdAt } = (await run("calls", "get", callId, "-o", "json")).json;
    const end = new Date(Date.parse(createdAt) + 1_000).toISOString();
    const words = chosen.length === 0 ? ["--from", createdAt, "--to", end] : chosen;
    const whole = ["--out", "whole.flac"];
    expect((await run("calls", "recording", "download", callId, ...whole)).code).toBe(0);
    const { json } = await run("calls", "recording", "download", callId, "-o", "json");
    const name = words.includes("--out") ? "2026-05-01.flac" : json.file;
    rmSync(at(json.file));
    symlinkSync(at("nowhere"), at(name));
    const refused = await run("calls", "recording", "download", ...words);
    expect([refused.code === 0, existsSync(at("nowhere"))]).toEqual([false, false]);
    expect(refused.stderr).toContain(`${name} is a symbolic link to a file that doesn't exist`);
    expect((await run("calls", "recording", "download", ...words, "--force")).code).toBe(0);
    expect([lstatSync(at(name)).isFile(), existsSync(at("nowhere"))]).toEqual([true, false]);
    expect(readFileSync(at(name)).equals(readFileSync(at("whole.flac")))).toBe(true);
  });

  test("a download with its default name never writes through a link", async () => {
    const { at, victim, download, untouched } = await practice();
    const { json } = await download("-o", "json");
    rmSync(at(json.file));
    symlinkSync(victim, at(json.file));
    expect((await download()).code).toBe(12);
    expect((await download("--force")).code).toBe(0);
    expect(lstatSync(at(json.file)).isFile()).toBe(true);
    untouched();
  });

  test("an export of knowledge never writes through a link, not even with --force", async () => {
    const { run, at, victim, untouched } = await practice();
    expect((await run("knowledge", "export", "first")).code).toBe(0);
    const [name = ""] = readdirSync(at("first"));
    for (const target of [victim, at("nowhere")]) {
      const folder = target === victim ? "second" : "third";
      mkdirSync(at(folder));
      symlinkSync(target, at(folder, name));
      const refused = await run("knowledge", "export", folder);
      expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("already exists")]);
      expect((await run("knowledge", "export", folder, "--force")).code).toBe(0);
      expect(lstatSync(at(folder, name)).isFile()).toBe(true);
      expect([readFileSync(at(folder, name), "utf8"), existsSync(at("nowhere"))]).toEqual([
        readFileSync(at("first", name), "utf8"),
        false,
      ]);
      untouched();
    }
    expect(readdirSync(at("second")).sort()).toEqual(readdirSync(at("first")).sort());
  });

  test("writing a file never overwrites an existing file at the temporary path", async () => {
    const { run, at, victim, untouched } = await practice();
    expect((await run("knowledge", "export", "texts")).code).toBe(0);
    const [name = ""] = readdirSync(at("texts"));
    const csv = "id,first_name,phone\nk1,Anna,+4930123\n";
    writeFileSync(at("people.csv"), csv);
    const drafts = [at("texts", `${name}.part`), at("state.jsonl.part"), at("config.git", ".gitignore.part")];
    mkdirSync(at("config.git"));
    for (const draft of drafts) linkSync(victim, draft);
    expect((await run("knowledge", "export", "texts", "--force")).code).toBe(0);
    await run("groups", "create", "--type", "contacts", "--name", "Neu");
    const synced = await run(
      ...[
        "contacts",
        "sync",
        "people.csv",
        "--group",
        "Neu",
        "--key",
        "id",
        "--state",
        "state.jsonl",
        "--yes",
      ],
    );
    expect(synced.code, synced.stderr).toBe(0);
    const init = await run("config", "init", "config.git", "--target", "dev", "--profile", "offline");
    expect(init.code, init.stderr).toBe(0);
    untouched();
    for (const draft of drafts) expect(statSync(draft).nlink, draft).toBe(4);
    expect(readdirSync(at("texts")).filter((name) => name.endsWith(".part"))).toEqual([`${name}.part`]);
  });

  test.each([0, 0o022, 0o277])(
    "files and directories are private to their owner under the umask %o",
    async (umask) => {
      const { run, at, download } = await practice();
      const former = process.umask(umask);
      onTestFinished(() => void process.umask(former));
      expect((await download("--out", "a/b/")).code).toBe(0);
      expect((await run("knowledge", "export", "c/d")).code).toBe(0);
      expect((await run("contacts", "export", "contacts.csv")).code).toBe(0);
      process.umask(former);
      for (const folder of ["a", "a/b", "c", "c/d"])
        expect([folder, modeOf(at(folder))]).toEqual([folder, "700"]);
      const files = ["a/b", "c/d"].flatMap((folder) =>
        readdirSync(at(folder)).map((name) => `${folder}/${name}`),
      );
      for (const file of [...files, "contacts.csv"]) expect([file, modeOf(at(file))]).toEqual([file, "600"]);
    },
  );

  test("a resumed download is private even if others could read the partial file", async () => {
    const { at, download } = await practice();
    expect((await download("--out", "whole.flac")).code).toBe(0);
    writeFileSync(at("call.flac.part"), readFileSync(at("whole.flac")).subarray(0, 5_000));
    chmodSync(at("call.flac.part"), 0o644);
    expect((await download("--out", "call.flac")).code).toBe(0);
    expect(modeOf(at("call.flac"))).toBe("600");
  });
});
