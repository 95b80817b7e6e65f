// Writes the generated documents that are in git; CI checks that they are up to date.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { catalog } from "../src/cli/catalog.js";
import { commandTree } from "../src/cli/command-tree.js";
import { completionScripts } from "../src/cli/completion/scripts.js";
import { version } from "../src/cli/session/version.js";
import { fidelityPage } from "./generate-fidelity.js";
import { manualPages } from "./generate-manual.js";
import { referencePages } from "./generate-reference.js";

const root = fileURLToPath(new URL("..", import.meta.url));

// Remove the pages of deleted commands.
rmSync(`${root}docs/reference`, { recursive: true, force: true });
mkdirSync(`${root}docs/reference`);
const tree = await commandTree(catalog);
for (const [name, text] of referencePages(tree)) writeFileSync(`${root}docs/reference/${name}`, text);
writeFileSync(`${root}docs/fidelity.md`, fidelityPage(root));
for (const { file, text } of Object.values(completionScripts))
  writeFileSync(`${root}completions/${file}`, text);

// npm only installs manual pages that are listed one by one; it ignores `directories.man`.
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
manifest.man = [...manualPages(tree, { version, date: "" }).keys()]
  .sort()
  .map((name) => `./dist/man/${name}`);
writeFileSync(`${root}package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
