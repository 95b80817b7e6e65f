import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const architecture = read("docs/architecture.md");

const foldersIn = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

it("the developer documents refer only to existing files and directories", () => {
  const documents = [
    "docs/architecture.md",
    "docs/adding-a-resource.md",
    "docs/glossary.md",
    "docs/guarantees.md",
    "CONTRIBUTING.md",
  ];
  const named = documents.flatMap((document) =>
    [...read(document).matchAll(/`((?:src|test|scripts|docs|bin)\/[\w./-]*)`/g)].map(
      ([, path = ""]) => [document, path] as const,
    ),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(([, path]) => !existsSync(join(root, path)))).toEqual([]);
});

it("docs/architecture.md lists every directory of src, cli, write and features", () => {
  const modules = [
    ...foldersIn("src").map((name) => `\`src/${name}/\``),
    ...foldersIn("src/cli").map((name) => `\`${name}/`),
    ...foldersIn("src/write").map((name) => `src/write/${name}/`),
    ...foldersIn("src/features").map((name) => `\`${name}/`),
  ];
  expect(modules.length).toBeGreaterThan(20);
  expect(modules.filter((module) => !architecture.includes(module))).toEqual([]);
});

it("docs/architecture.md lists the stages of a request in the order of the code", () => {
  const code = read("src/emulator/request/stages.ts");
  const imported = [...code.matchAll(/^import \{ ([^}]+) \} from "\.\/(\w+)\.js";$/gm)].flatMap(
    ([, names = "", file = ""]) => names.split(", ").map((name) => [name, file] as const),
  );
  const fileOf = new Map(imported.filter(([, file]) => file !== "exchange"));
  const lists = code.slice(
    code.indexOf("function listRequestStages"),
    code.indexOf("function connectStages"),
  );
  const stages = new Set([...lists.matchAll(/\w+/g)].flatMap(([name]) => fileOf.get(name) ?? []));
  const listed = [...architecture.matchAll(/^\| `request\/(\w+)\.ts` \|/gm)].map(([, file]) => file);
  expect(stages.size).toBeGreaterThan(8);
  expect(listed).toEqual([...stages]);
});
