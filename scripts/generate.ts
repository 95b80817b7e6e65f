// Writes what is made from the sources and committed: run by `npm run generate`, checked for drift by CI.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { catalogue } from "../src/cli/catalogue.js";
import { commandTree } from "../src/cli/command-tree.js";
import { fileSchemas, formatSchema } from "../src/cli/commands/schema/schemas.js";
import { completionScripts } from "../src/cli/completion/scripts.js";
import { version } from "../src/cli/session/version.js";
import { completionTree } from "./generate-completion.js";
import { fidelityPage } from "./generate-fidelity.js";
import { manualPages } from "./generate-manual.js";
import { openApiFiles } from "./generate-openapi.js";
import { referencePages } from "./generate-reference.js";
import { typesModule } from "./generate-types.js";
import { wholeSchemaModule } from "./generate-whole-schema.js";
import { wireModule } from "./generate-wire.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A source that stays as it is keeps its time, too: a build that is newer need not be made again. */
function writeSource(name: string, text: string): void {
  const path = `${root}src/${name}`;
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}

writeSource("contract/wire.ts", wireModule());
writeSource("contract/operation-types.ts", typesModule());
writeSource("emulator/database/whole-schema.ts", await wholeSchemaModule());
writeFileSync(`${root}docs/fidelity.md`, fidelityPage(root));
mkdirSync(`${root}docs/openapi`, { recursive: true });
for (const [name, text] of await openApiFiles()) writeFileSync(`${root}docs/openapi/${name}`, text);

rmSync(`${root}docs/schemas`, { recursive: true, force: true });
mkdirSync(`${root}docs/schemas`);
for (const schema of fileSchemas)
  writeFileSync(`${root}docs/schemas/${schema.name}.json`, await formatSchema(schema));

const tree = await commandTree(catalogue);
// A command that is gone leaves no page behind.
rmSync(`${root}docs/reference`, { recursive: true, force: true });
mkdirSync(`${root}docs/reference`);
for (const [name, text] of referencePages(tree)) writeFileSync(`${root}docs/reference/${name}`, text);
rmSync(`${root}docs/man`, { recursive: true, force: true });
mkdirSync(`${root}docs/man`);
const manual = manualPages(tree, version);
for (const [name, text] of manual) writeFileSync(`${root}docs/man/${name}`, text);
// npm links the pages that stand in a list; it finds none by their folder.
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
manifest.man = [...manual.keys()].sort().map((name) => `./docs/man/${name}`);
writeFileSync(`${root}package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
writeSource("cli/completion/tree.json", `${JSON.stringify(completionTree(tree), null, 1)}\n`);
for (const { file, text } of Object.values(completionScripts))
  writeFileSync(`${root}completions/${file}`, text);
