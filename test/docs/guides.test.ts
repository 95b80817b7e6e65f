import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseYaml } from "../../src/base/yaml-text.js";
import { createDemoTemplate, createManualShell } from "./manual.js";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const guides = [
  "../README.md",
  "emulator.md",
  ...readdirSync(join(docs, "guides"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("guides", name)),
];
/** The first pages for new users; `npm run proof -- examples` and CI run all guides. */
const firstGuides = ["../README.md", "emulator.md", "guides/bulk-import.md", "guides/fleet.md"];
const followed = process.env["PROOF"] ? guides : firstGuides;

let template: Awaited<ReturnType<typeof createDemoTemplate>>;
beforeAll(async () => {
  template = await createDemoTemplate();
});
afterAll(() => template.remove());

interface Block {
  language: string;
  /** The words after the language: a file's name, `exit=68`, or `output` of the previous command ("…" omits a part). */
  more: string;
  text: string;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S*)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", more = "", text = ""]) => ({ language, more, text }),
  );
}

/** The name comes after the language of the block, or in a comment in its first line. */
function fileName({ language, more, text }: Block): string | undefined {
  if (["csv", "yaml", "json"].includes(language)) return more || /^# (\S+\.\w+)\n/.exec(text)?.[1];
  return undefined;
}

test.each(followed)("the commands of %s have the documented results, in order", async (name) => {
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
  let output = "";
  for (const { language, more, text } of blocks) {
    if (language === "text" && more === "output") {
      for (const part of text.split("…").map((printed) => printed.trim())) expect(output).toContain(part);
      continue;
    }
    // "foreign": the commands need a real service or a second terminal.
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
      // The example host doesn't exist, so the key can't be checked.
      const asks = line.includes("https://voice.example.com");
      const ran = await shell.type(asks ? `${line} --key-stdin --no-check` : line, {
        env,
        ...(asks ? { stdin: "key-of-a-test" } : {}),
      });
      expect([line, ran.code], ran.stderr).toEqual([line, exit]);
      output = ran.stdout + ran.stderr;
      commands += 1;
    }
  }
  // Some guides have no commands.
  expect(commands > 0 || !blocks.some(({ language, more }) => language === "sh" && more !== "foreign")).toBe(
    true,
  );
});

test("the YAML and JSON blocks of all documents are valid", () => {
  const documents = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  const parsers: Readonly<Record<string, (text: string) => unknown>> = { yaml: parseYaml, json: JSON.parse };
  const invalid = ["../README.md", ...documents].flatMap((document) =>
    blocksOf(readFileSync(join(docs, document), "utf8")).flatMap(({ language, text }) => {
      try {
        parsers[language]?.(text);
        return [];
      } catch (error) {
        return [`${document}: ${String(error)}\n${text}`];
      }
    }),
  );
  expect(invalid).toEqual([]);
});

test("relative links in all documents lead to existing files", () => {
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
