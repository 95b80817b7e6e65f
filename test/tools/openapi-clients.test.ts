import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ApiName, apis } from "../../src/contract/apis.js";
import { operations } from "../../src/contract/contract.js";
import { createOpenApiDocument } from "../../src/openapi/document.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** Too large for the project's dependencies. The oldest supported Node.js can run these versions. */
const packages = {
  "@hey-api/openapi-ts": "0.95.0",
  "@types/sarif": "2.1.7",
  "openapi-fetch": "0.17.0",
  "openapi-typescript": "7.13.0",
  orval: "7.13.2",
  typescript: "5.9.3",
};

const folder = mkdtempSync(join(tmpdir(), "clients-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const missing = install();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

function install(): string | undefined {
  write("package.json", JSON.stringify({ private: true, type: "module", dependencies: packages }));
  const { status, stderr } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0"],
    { cwd: folder, encoding: "utf8", timeout: 240_000 },
  );
  return status === 0 ? undefined : `missing: the npm registry (${stderr.trim().split("\n").at(-1)})`;
}

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function run(program: string, ...argv: string[]): void {
  const { status, stdout, stderr } = spawnSync(join(folder, "node_modules/.bin", program), argv, {
    cwd: folder,
    encoding: "utf8",
  });
  expect([program, status, `${stdout}${stderr}`]).toEqual([program, 0, expect.any(String)]);
}

function compile(...include: string[]): void {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{
      module: "esnext",
      moduleResolution: "bundler",
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
    },
  };
  write("tsconfig.json", JSON.stringify({ compilerOptions, include }));
  const { stdout } = spawnSync(join(folder, "node_modules/.bin/tsc"), ["-p", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
}

/** A caller's program. It compiles only if fields with defaults are optional in `body`. */
const program = `
import createClient from "openapi-fetch";
import type { paths } from "./fetch/public.js";
import * as hey from "./hey/public/index.js";
import * as orval from "./orval/public.js";

const body = { group_id: "0", first_name: "Anna" };
const client = createClient<paths>({ baseUrl: "/api/v1" });
export const created = [
  client.POST("/contacts", { body }),
  hey.contactsCreate({ body }),
  orval.contactsCreate(body),
];
// @ts-expect-error a body needs its required fields
client.POST("/contacts", { body: {} });
// @ts-expect-error as above
hey.contactsCreate({ body: {} });
// @ts-expect-error as above
orval.contactsCreate({});

const path = { call_id: "0" };
export async function readRecordings(): Promise<(Blob | undefined)[]> {
  const fetched = await client.GET("/calls/{call_id}/recording", { params: { path }, parseAs: "blob" });
  const got = await hey.callsRecordingGet({ path });
  const read = await orval.callsRecordingGet(path.call_id);
  return [fetched.data, got.data, read.status === 200 || read.status === 206 ? read.data : undefined];
}
`;

// Needs the npm registry for the generators.
describe.skipIf(missing !== undefined)("clients from third-party generators", () => {
  it("clients from the OpenAPI documents compile", () => {
    const names: ApiName[] = ["public", "distributor-v1", "distributor-v2", "legacy"];
    for (const api of names) {
      const document = `./${api}.json`;
      write(document, JSON.stringify(createOpenApiDocument(operations, api, apis[api].basePath || "/")));
      run("openapi-typescript", document, "-o", `fetch/${api}.ts`);
      run("openapi-ts", "-i", document, "-o", `hey/${api}`);
      run("orval", "--input", document, "--output", `orval/${api}.ts`, "--client", "fetch");
    }
    write("program.ts", program);
    compile("program.ts", "fetch", "hey", "orval");
  }, 600_000);

  it("`lint -o sarif` prints valid SARIF 2.1.0 according to its types", async () => {
    const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
    const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
    const { stdout } = await shell.run("lint", "-o", "sarif");
    await emulator.close();
    write("sarif.ts", `import type { Log } from "sarif";\nexport const log: Log = ${stdout};\n`);
    compile("sarif.ts");
  });
});
