import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { type Files, parseError, setUpFolder } from "../helpers/config.js";
import { openSeededEmulator } from "../helpers/templates.js";

const prompt = (name: string, text = `Text von ${name}`) =>
  `---\nname: ${name}\nkind: answering\n---\n${text}\n`;

async function twoTargets(files: Files) {
  const open = () =>
    openSeededEmulator({ seed: "empty", clock: "virtual", startTime: "2026-03-02T09:00:00.000Z" });
  const emulators = { dev: await open(), prod: await open() };
  onTestFinished(async () => {
    await emulators.dev.close();
    await emulators.prod.close();
  });
  const overrides: Overrides = {
    connect: async (profile, options) => {
      const emulator = profile.name === "dev" ? emulators.dev : emulators.prod;
      return { ...connectEmulator(emulator, profile, options), close: async () => {} };
    },
  };
  const project = `version: 1
project: "0123456789ab"
kinds: [prompts, knowledge, glossary]
targets:
  dev: { profile: dev }
  prod: { profile: prod, requires_applied_to: dev }
`;
  const folder = setUpFolder(emulators.dev, { "voxctl.project.yaml": project, ...files }, { overrides });
  const configFolder = join(folder.home, "config");
  mkdirSync(configFolder, { recursive: true });
  const profiles = Object.fromEntries(
    ["dev", "prod"].map((name) => [name, { kind: "offline", db: join(configFolder, `${name}.db`) }]),
  );
  writeFileSync(join(configFolder, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const live = async (target: "dev" | "prod", ...argv: string[]) => {
    const { code, stderr } = await folder.run(...argv, "--profile", target, "--yes");
    expect([code, stderr]).toEqual([0, ""]);
  };
  const both = (verb: string, ...flags: string[]) =>
    folder.config(verb, "--target", "dev,prod", "-o", "json", ...flags);
  return { ...folder, both, live };
}

describe("a configuration with several targets", () => {
  test("`plan` compares each target and lists the targets that differ", async () => {
    const { both, live, lock } = await twoTargets({ "prompts/a.md": prompt("A") });
    expect((await both("apply", "--yes")).code).toBe(0);
    expect([Object.keys(lock("dev")), Object.keys(lock("prod"))]).toEqual([["prompts/a"], ["prompts/a"]]);
    expect((await both("diff")).code).toBe(0);
    await live("dev", "prompts", "update", "A", "--text", "dev war hier");
    await live("prod", "prompts", "update", "A", "--text", "prod war hier");
    for (const command of [["diff", "--only=drift"], ["plan"]] as const) {
      const [verb, ...flags] = command;
      const compared = await both(verb, ...flags);
      expect(compared.code).toBe(10);
      expect(compared.stdout.match(/"target": "\w+"/g)).toEqual(['"target": "dev"', '"target": "prod"']);
      const { message, details } = parseError(compared);
      expect(message).toBe("2 of 2 targets failed: dev, prod");
      expect(details.length).toBe(2);
    }
    // If `apply` refuses a target because of drift, it does not start the next target.
    const applied = await both("apply", "--yes");
    expect([applied.code, applied.stdout.match(/"target": "\w+"/g)]).toEqual([10, ['"target": "dev"']]);
    expect(applied.stderr).toContain("Not started: prod");
  });

  test("[U1] `pull` keeps the changes that an earlier pull of another target wrote", async () => {
    const { both, live, read, root } = await twoTargets({
      "prompts/a.md": prompt("A"),
      "glossary/fach.yaml":
        "group: Fach\nitems:\n  - { term: PZR, definition: eins }\n  - { term: OPG, definition: zwei }\n",
    });
    expect((await both("apply", "--yes")).code).toBe(0);
    // In a git checkout, the files that `pull` writes for one target don't block the next target.
    for (const words of [
      ["init", "-q"],
      ["add", "-A"],
      ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "x"],
    ])
      execFileSync("git", ["-C", root, ...words]);
    await live("dev", "prompts", "update", "A", "--text", "von dev");
    await live("dev", "glossary", "update", "PZR", "--definition", "von dev");
    await live("prod", "glossary", "update", "OPG", "--definition", "von prod");
    expect((await both("pull")).code).toBe(0);
    expect(read("prompts/a.md")).toBe(prompt("A", "von dev"));
    expect(read("glossary/fach.yaml")).toBe(
      'group: Fach\nitems:\n  - { term: PZR, definition: "von dev" }\n  - { term: OPG, definition: "von prod" }\n',
    );
  });

  test("`plan --out` is refused for several targets", async () => {
    const { both } = await twoTargets({ "prompts/a.md": prompt("A") });
    const refused = await both("plan", "--out", "p.plan");
    expect([refused.code, parseError(refused).message]).toEqual([
      2,
      "--out can't be used with several targets",
    ]);
  });
});
