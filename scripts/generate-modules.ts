// Writes the modules in src/generated, which are not in git. A later step can import modules that earlier
// steps wrote. With --documents, also writes the manual and the OpenAPI documents.
// Usage: node --import tsx scripts/generate-modules.ts [--documents DIRECTORY]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { systemClock } from "../src/base/clock.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { documents: { type: "string" } } });

/**
 * Writes a module only if its text changed, because a new modification time makes the build look outdated.
 */
function writeModule(name: string, text: string): void {
  const path = join(root, "src/generated", name);
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}

function writeDocuments(name: string, texts: ReadonlyMap<string, string>): void {
  const directory = join(values.documents ?? "", name);
  mkdirSync(directory, { recursive: true });
  for (const [file, text] of texts) writeFileSync(join(directory, file), text);
}

mkdirSync(join(root, "src/generated"), { recursive: true });
const { wireModule } = await import("./generate-wire.js");
writeModule("wire.ts", wireModule());
const { typesModule } = await import("./generate-types.js");
writeModule("operation-types.ts", typesModule());
const { wholeSchemaModule } = await import("./generate-whole-schema.js");
writeModule("whole-schema.ts", await wholeSchemaModule());

const { catalog } = await import("../src/cli/catalog.js");
const { commandTree } = await import("../src/cli/command-tree.js");
const { completionTree } = await import("./generate-completion.js");
const tree = await commandTree(catalog);
writeModule("completion-tree.json", `${JSON.stringify(completionTree(tree), null, 1)}\n`);

if (values.documents !== undefined) {
  const { manualPages } = await import("./generate-manual.js");
  const { version } = await import("../src/cli/session/version.js");
  // An unreleased version gets the build's date.
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const released = changelog.match(/^## (\S+) — (\d{4}-\d\d-\d\d)$/m);
  const today = new Date(systemClock().now()).toISOString().slice(0, 10);
  const date = released?.[1] === version ? (released[2] ?? today) : today;
  writeDocuments("man", manualPages(tree, { version, date }));
  const { openApiFiles } = await import("./generate-openapi.js");
  writeDocuments("openapi", await openApiFiles());
}
