import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemoTemplate, createManualShell } from "./manual.js";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const guides = [
  "../README.md",
  "emulator.md",
  ...readdirSync(join(docs, "guides"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("guides", name)),
];
/** The reader's first pages; `npm run proof -- examples` and CI follow all of them. */
const firstGuides = ["../README.md", "emulator.md", "guides/bulk-import.md"];
const followed = process.env["PROOF"] ? guides : firstGuides;

let template: Awaited<ReturnType<typeof createDemoTemplate>>;
beforeAll(async () => {
  template = await createDemoTemplate();
});
afterAll(() => template.remove());

interface Block {
  language: string;
  /** The words behind the language: a file's name, or `exit=68`. */
  more: string;
  text: string;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S*)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", more = "", text = ""]) => ({ language, more, text }),
  );
}

/** The file that a block is: named after the language, or by a comment in its first line. */
function fileName({ language, more, text }: Block): string | undefined {
  if (["csv", "yaml", "json"].includes(language)) return more || /^# (\S+\.\w+)\n/.exec(text)?.[1];
  return undefined;
}

test.each(followed)("%s: its commands have the documented results, in order", async (name) => {
  const blocks = blocksOf(readFileSync(join(docs, name), "utf8"));
  const files = Object.fromEntries(
    blocks.flatMap((block) => {
      const file = fileName(block);
      return file === undefined ? [] : [[file, block.text]];
    }),
  );
  const shell = createManualShell({ template: template.folder, files });
  const env: Record<string, string> = { VOXCTL_PROFILE: "offline" };
  let commands = 0;
  for (const { language, more, text } of blocks) {
    // "foreign": this text describes the callees.
    if (language !== "sh" || more === "foreign") continue;
    const exit = Number(/^exit=(\d+)$/.exec(more)?.[1] ?? 0);
    for (const line of text
      .split("\n")
      .filter((candidate) => candidate.trim() !== "" && !candidate.startsWith("#"))) {
      const exported = /^export (\w+)=(\S+)$/.exec(line);
      if (exported) {
        env[exported[1] ?? ""] = exported[2] ?? "";
        continue;
      }
      // Another host's key is prompted for and tried; here it comes by a pipe, and the host does not exist.
      const asks = line.includes("https://voice.example.com");
      const ran = await shell.type(asks ? `${line} --key-stdin --no-check` : line, {
        env,
        ...(asks ? { stdin: "key-of-a-test" } : {}),
      });
      expect([line, ran.code], ran.stderr).toEqual([line, exit]);
      commands += 1;
    }
  }
  // Some guides have nothing to type.
  expect(commands > 0 || !blocks.some(({ language }) => language === "sh")).toBe(true);
});

test("links between all documents lead somewhere", () => {
  const documents = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  const broken = documents.flatMap((document) =>
    [...readFileSync(join(docs, document), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g)]
      .map((match) => join(docs, dirname(document), match[1] ?? ""))
      .filter((target) => !existsSync(target))
      .map((target) => `${document}: ${target}`),
  );
  expect(broken).toEqual([]);
});
