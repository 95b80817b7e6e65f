// Tests a configuration directory after a git checkout, with each of git's settings for line endings.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setUpConfig } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";
import { findMissingPrograms } from "./programs.js";

const missing = findMissingPrograms("git");
const pieces = [
  "a",
  "ä",
  " ",
  "\n",
  "\r\n",
  "\t",
  "---",
  "# ",
  ": ",
  "'",
  '"',
  "\\",
  "\u2028",
  "\ufeff",
  "|",
  "{",
];
/** Texts that a checkout could change: they have each type of line ending, alone or mixed. */
const nasty = [
  "\n",
  "a\r\nb",
  "a\r\nb\r\n",
  "a\nb\r\n",
  "a\rb",
  "---\na",
  "a \n b ",
  "\r\n\r\n",
  "\ufeffa",
  "a\n\n\n",
];
const texts = [
  ...nasty,
  ...fc
    .sample(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }), {
      numRuns: 60,
      seed: Number(process.env["PROOF_SEED"] ?? 8),
    })
    .map((parts) => parts.join("")),
].map((text, index) => `${index}${text}`);

/** Returns a function that runs git without the settings of the user who runs the tests. */
function gitIn(home: string) {
  return (folder: string, ...argv: string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", ["-C", folder, ...argv], {
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        ...{ GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: join(home, "gitconfig") },
        ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.com" },
        ...{ GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.com" },
      },
    });
    expect([argv, status, stderr.split("\n").filter((line) => /^(?:fatal|error)/.test(line))]).toEqual([
      argv,
      0,
      [],
    ]);
    return stdout;
  };
}

// Needs git.
describe.skipIf(missing !== undefined)("a configuration directory in git", () => {
  test.each([
    ["true", true],
    ["input", true],
    ["false", true],
    // Without the .gitattributes file of `config init`, git changes the line endings.
    ["true", false],
    ["input", false],
    ["false", false],
  ])(
    "after a checkout with core.autocrlf=%s (.gitattributes: %s), `apply` finds no changes",
    async (autocrlf, hasAttributes) => {
      const setup = await setUpConfig({ "voxctl.project.yaml": undefined });
      const { home, emulator, runWith } = setup;
      const api = publicApi(emulator);
      for (const [index, text] of texts.entries())
        expect((await api("POST", "/prompts", { name: `P ${index}`, kind: "answering", text })).status).toBe(
          201,
        );
      const folder = join(home, "config");
      const init = await runWith(
        { cwd: home },
        "config",
        "init",
        folder,
        "--target",
        "dev",
        "--profile",
        "offline",
      );
      expect([init.code, init.stderr]).toEqual([0, ""]);
      if (!hasAttributes) rmSync(join(folder, ".gitattributes"));
      writeFileSync(join(home, "gitconfig"), `[core]\n  autocrlf = ${autocrlf}\n  safecrlf = false\n`);
      const git = gitIn(home);
      git(folder, "init", "-q", "-b", "main");
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "-m", "as it is");
      const checkout = join(home, "checkout");
      mkdirSync(checkout);
      // Store the setting in the checkout, because voxctl's git uses the configuration of the user who runs
      // the tests.
      git(home, "clone", "-q", "-c", `core.autocrlf=${autocrlf}`, folder, checkout);
      const prompts = readdirSync(join(checkout, "prompts"));
      expect(prompts.length).toBe(texts.length);
      const withCrlf = prompts.filter((name) =>
        readFileSync(join(checkout, "prompts", name), "utf8").includes("\r\n"),
      );
      expect(withCrlf.length).toBe(autocrlf === "true" && !hasAttributes ? prompts.length : 0);
      const config = (verb: string, ...more: string[]) => runWith({ cwd: checkout }, "config", verb, ...more);
      const at = ["--target", "dev"];
      const planned = await config("plan", ...at);
      expect(planned.json).toMatchObject({ writes: 0, update: [], drift: [], conflicts: [], refused: [] });
      expect((await config("diff", ...at)).code).toBe(0);
      const before = await setup.writes();
      for (const verb of [
        ["apply", ...at, "--yes"],
        ["pull", ...at, "--new"],
        ["check", "--fix"],
      ])
        expect([verb, (await config(verb[0] ?? "", ...verb.slice(1))).code]).toEqual([verb, 0]);
      expect(await setup.writes()).toEqual(before);
      // `git status` would report a lock file with LF as changed, because the file's size differs.
      expect(git(checkout, "diff", "--name-only")).toBe("");
      // `config pull` writes a changed text with the existing line endings of its file.
      const [prompt] = (await api("GET", "/prompts?limit=1")).body["data"] as { id: string; name: string }[];
      await api("PATCH", `/prompts/${prompt?.id}`, { text: "Neu\nin zwei Zeilen" });
      const pulled = await config("pull", ...at);
      expect([pulled.code, pulled.stderr]).toEqual([0, expect.not.stringContaining("error")]);
      const changed = git(checkout, "diff", "--name-only").trim().split("\n");
      expect(changed).toEqual(["locks/dev.jsonl", expect.stringMatching(/^prompts\/.*\.md$/)]);
      const text = readFileSync(join(checkout, changed[1] ?? ""), "utf8");
      expect(text.endsWith(withCrlf.length > 0 ? "Neu\r\nin zwei Zeilen\r\n" : "Neu\nin zwei Zeilen\n")).toBe(
        true,
      );
      expect((await config("plan", ...at)).json).toMatchObject({ writes: 0, refused: [] });
    },
  );
});
