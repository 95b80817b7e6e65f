// Writes what is made from the sources and committed: run by `npm run generate`, checked for drift by CI.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fidelityPage } from "./generate-fidelity.js";
import { openApiYaml } from "./generate-openapi.js";
import { wireModule } from "./generate-wire.js";

const root = fileURLToPath(new URL("..", import.meta.url));

writeFileSync(`${root}src/contract/wire.ts`, wireModule());
writeFileSync(`${root}docs/fidelity.md`, fidelityPage(root));
writeFileSync(`${root}docs/openapi.yaml`, await openApiYaml());
