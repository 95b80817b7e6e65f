import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const notCopied = new Set(["node_modules", "dist", ".git", "coverage"]);

/** `npm run proof` packs and installs with npm; else the built command is packed as it is, and unpacked by hand. */
const whole = process.env["PROOF"] !== undefined;

/** The project packed and installed in an empty folder, as somebody who gets it from a registry has it. */
describe("the package", () => {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-package-"));
  const elsewhere = join(folder, "elsewhere");
  const env = {
    ...process.env,
    VOXCTL_DATA_DIR: join(folder, "data"),
    VOXCTL_CONFIG_DIR: join(folder, "config"),
    CI: "true",
  };
  const run = (command: string, args: string[], cwd: string) =>
    execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

  const packed = () => join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");

  function packAndInstall(): void {
    const source = join(folder, "source");
    // A copy: packing builds, and other tests use the built command meanwhile.
    cpSync(root, source, {
      recursive: true,
      filter: (path) => !notCopied.has(path.slice(root.length).split("/")[0] ?? ""),
    });
    symlinkSync(join(root, "node_modules"), join(source, "node_modules"));
    run("npm", ["pack", "--silent", "--pack-destination", folder], source);
    run("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", packed()], elsewhere);
  }

  /** With nothing beside it but the dependencies that it declares. */
  function packAndUnpack(): void {
    run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], root);
    const modules = join(elsewhere, "node_modules");
    const target = join(modules, "voxctl");
    mkdirSync(target, { recursive: true });
    run("tar", ["-xzf", packed(), "--strip-components", "1", "-C", target], elsewhere);
    const { bin, dependencies } = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
    for (const name of Object.keys(dependencies)) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    mkdirSync(join(modules, ".bin"));
    symlinkSync(join(target, bin.voxctl), join(modules, ".bin/voxctl"));
    chmodSync(join(target, bin.voxctl), 0o755);
  }

  beforeAll(() => {
    mkdirSync(elsewhere);
    writeFileSync(
      join(elsewhere, "package.json"),
      JSON.stringify({ name: "elsewhere", private: true, type: "module" }),
    );
    if (whole) packAndInstall();
    else packAndUnpack();
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("gives a working voxctl", () => {
    const command = join(elsewhere, "node_modules/.bin/voxctl");
    expect(run(command, ["--version"], elsewhere)).toMatch(/^\d+\.\d+\.\d+\n$/);
    const contacts = JSON.parse(
      run(command, ["contacts", "list", "--limit", "3", "--profile", "offline", "-o", "json"], elsewhere),
    );
    expect(contacts).toHaveLength(3);
  });

  it("gives voxctl/emulator and voxctl/client as libraries, with types that need nothing else", () => {
    writeFileSync(
      join(elsewhere, "use.ts"),
      `import { openEmulator, type Emulator } from "voxctl/emulator";
import { createClient, systemRandom, type Client } from "voxctl/client";
const emulator: Emulator = await openEmulator({ seed: "empty" });
const client: Client = createClient({
  targets: { public: { baseUrl: emulator.startLine.base_url, key: emulator.startLine.keys.admin } },
  transport: emulator.transport,
  clock: emulator.clock,
  random: systemRandom(),
});
const answer = await client.call("ping");
console.log(answer.status);
// What is read from the package's own files when it is asked for.
for (const path of ["/docs", "/docs/docs.js", "/openapi.yaml"]) {
  const inPlaceOfFetch: typeof fetch = emulator.fetch;
  const part = await inPlaceOfFetch(emulator.startLine.base_url + path);
  console.log(part.status, (await part.text()).length > 1000);
}
await emulator.close();
`,
    );
    const flags = [
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2022",
      "--lib",
      "es2023,esnext.disposable",
    ];
    const nodeTypes = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
    run(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), ...flags, ...nodeTypes, "use.ts"],
      elsewhere,
    );
    expect(run(process.execPath, ["use.js"], elsewhere)).toBe("200\n200 true\n200 true\n200 true\n");
  });
});
