import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEmulator } from "../../src/emulator/index.js";
import { projectText } from "../helpers/config.js";
import { runHere, runKilledAt } from "../helpers/processes.js";

const files = {
  "voxctl.project.yaml": projectText(),
  "prompts/a.md": "---\nname: A\nkind: answering\n---\nText A\n",
  "glossary/fach.yaml":
    "group: Fach\nitems:\n  - { term: PZR, definition: eins }\n  - { term: OPG, definition: zwei }\n",
};
const keys = ["glossary/fach", "glossary/fach#OPG", "glossary/fach#PZR", "prompts/a"];

async function machine() {
  const home = mkdtempSync(join(tmpdir(), "voxctl-lock-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const data = join(home, ".data");
  mkdirSync(data);
  const emulator = await openEmulator({ db: join(data, "offline.db"), seed: "empty" });
  await emulator.close();
  const env = {
    HOME: home,
    VOXCTL_CONFIG_DIR: join(home, ".config"),
    VOXCTL_DATA_DIR: data,
    VOXCTL_KEYCHAIN: "off",
  };
  const apply = ["config", "apply", "--target", "dev", "--adopt", "--yes", "-o", "json"];
  const lines = (): { key: string; id: string }[] => {
    const path = join(home, "locks/dev.jsonl");
    if (!existsSync(path)) return [];
    const text = readFileSync(path, "utf8");
    expect(text.endsWith("\n")).toBe(true);
    return text
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line));
  };
  return { home, env, apply, lines };
}

// `npm test` kills only once, right before the third rename.
const moments =
  process.env["PROOF"] === undefined
    ? ["renaming:3"]
    : ["writing", "renaming", "renamed"].flatMap((moment) => [1, 2, 3, 4, 5].map((n) => `${moment}:${n}`));

test.each(moments)(
  "[L3] a kill -9 during the write of the lock (%s) leaves a valid lock",
  async (moment) => {
    const { home, env, apply, lines } = await machine();
    const killed = await runKilledAt(`lock-${moment}`, apply, { env, cwd: home });
    // The process may finish with fewer lock writes, because voxctl combines them.
    const isOver = process.env["PROOF"] !== undefined && killed.code === 0;
    expect([killed.signal, killed.stderr]).toEqual([isOver ? null : "SIGKILL", ""]);
    const left = lines();
    expect(keys).toEqual(expect.arrayContaining(left.map(({ key }) => key)));
    const again = await runHere(apply, { env, cwd: home });
    expect([again.code, lines().map(({ key }) => key)]).toEqual([0, keys]);
    for (const { key, id } of left) expect(lines()).toContainEqual(expect.objectContaining({ key, id }));
    // voxctl keeps the temporary file of a killed process, because another process could still use the file.
    const lockFiles = readdirSync(join(home, "locks")).filter((name) => !name.endsWith(".part"));
    expect(lockFiles).toEqual(["dev.jsonl"]);
    const emulator = await openEmulator({ db: join(env.VOXCTL_DATA_DIR, "offline.db") });
    onTestFinished(() => emulator.close());
    const counted = async (path: string) => {
      const { base_url, keys: own } = emulator.startLine;
      const response = await emulator.fetch(`${base_url}/${path}`, {
        headers: { authorization: `Bearer ${own.admin}` },
      });
      return JSON.parse(await response.text())
        .data.map(({ name, term }: Record<string, string>) => name ?? term)
        .sort();
    };
    expect([await counted("prompts"), await counted("glossary")]).toEqual([["A"], ["OPG", "PZR"]]);
  },
  60_000,
);
