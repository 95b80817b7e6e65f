import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
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
import { writePackage } from "../../scripts/release/package.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const notCopied = new Set(["node_modules", "dist", "dist-tests", ".git", "coverage"]);

/** Only `npm run proof` packs and installs the project with npm. */
const whole = process.env["PROOF"] !== undefined;

// The tests install the packed project in an empty directory, as from a registry.
describe("the npm package", () => {
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
    // Pack a copy: packing rebuilds the project, and other tests use the built command concurrently.
    cpSync(root, source, {
      recursive: true,
      filter: (path) => !notCopied.has(path.slice(root.length).split("/")[0] ?? ""),
    });
    symlinkSync(join(root, "node_modules"), join(source, "node_modules"));
    run("npm", ["run", "--silent", "build"], source);
    writePackage(source, folder);
    run("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", packed()], elsewhere);
  }

  /** Installs the package without the keychain. */
  function packAndUnpack(): void {
    writePackage(root, folder);
    const modules = join(elsewhere, "node_modules");
    const target = join(modules, "voxctl");
    mkdirSync(target, { recursive: true });
    run("tar", ["-xzf", packed(), "--strip-components", "1", "-C", target], elsewhere);
    const { bin } = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
    const driver = "@photostructure/sqlite";
    mkdirSync(dirname(join(modules, driver)), { recursive: true });
    symlinkSync(join(root, "node_modules", driver), join(modules, driver));
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

  it("the npm package installs a working voxctl", () => {
    const command = join(elsewhere, "node_modules/.bin/voxctl");
    expect(run(command, ["--version"], elsewhere)).toMatch(/^\d+\.\d+\.\d+\n$/);
    const contacts = JSON.parse(
      run(command, ["contacts", "list", "--limit", "3", "--profile", "offline", "-o", "json"], elsewhere),
    );
    expect(contacts).toHaveLength(3);
  });

  const installed = join(elsewhere, "node_modules/voxctl");
  const files = () =>
    readdirSync(installed, { recursive: true, encoding: "utf8" }).filter(
      (file) => !file.startsWith("node_modules"),
    );

  /** The build's source maps, which the package does not contain. */
  const maps = () =>
    readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".map"))
      .map((file) => join(root, "dist", file));

  it("the npm package contains the license of every bundled library", () => {
    const text = readFileSync(join(installed, "dist/THIRD-PARTY-LICENSES"), "utf8");
    const sources = maps().flatMap((file): string[] => JSON.parse(readFileSync(file, "utf8")).sources);
    const bundled = new Set(
      sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
    );
    expect([...bundled]).toEqual(expect.arrayContaining(["commander", "undici", "zod"]));
    // Each license has its own heading, followed by text.
    const licensed = [...text.matchAll(/^=+\n(\S+) \d\S*\n=+\n\n\S/gm)].map(([, name]) => name);
    expect([...bundled].filter((name) => !licensed.includes(name))).toEqual([]);
  });

  it("the npm package contains one declaration file per library, and no source maps", () => {
    expect(files().filter((file) => /\.d\.ts$|\.map$/.test(file))).toEqual([
      "dist/client.d.ts",
      "dist/emulator.d.ts",
      "dist/node-test.d.ts",
      "dist/vitest.d.ts",
    ]);
  });

  it("no file of the npm package names the build's temporary directory", () => {
    const texts = files().filter((file) => /\.(?:[cm]?js|ts|css)$/.test(file));
    expect(texts.length).toBeGreaterThan(100);
    const differing = texts.filter((file) => /dist-\d+/.test(readFileSync(join(installed, file), "utf8")));
    expect(differing).toEqual([]);
  });

  it("the build's source maps contain voxctl's own sources", () => {
    expect(maps().length).toBeGreaterThan(10);
    for (const path of maps()) {
      const map = JSON.parse(readFileSync(path, "utf8"));
      const own = map.sources.flatMap((source: string, index: number) =>
        /node_modules/.test(source) ? [] : [map.sourcesContent[index]],
      );
      expect([path, own.every((content: unknown) => typeof content === "string")]).toEqual([path, true]);
    }
  });

  // A real `npm install` takes half a minute, so only `npm run proof -- package` runs it.
  it.runIf(whole)(
    "npm installs the package with only its SQLite driver and, if available, the keychain",
    () => {
      const lock = JSON.parse(readFileSync(join(elsewhere, "node_modules/.package-lock.json"), "utf8"));
      const names = Object.keys(lock.packages).map((path) => path.replace("node_modules/", ""));
      expect(names.filter((name) => !name.startsWith("@napi-rs/keyring"))).toEqual([
        "@photostructure/sqlite",
        "node-addon-api",
        "node-gyp-build",
        "voxctl",
      ]);
    },
  );

  it("the npm package contains a manual page for each resource", () => {
    const { man } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const pages = readdirSync(join(installed, "dist/man")).map((name) => `./dist/man/${name}`);
    expect(man.toSorted()).toEqual(pages.toSorted());
    expect(readFileSync(join(installed, "dist/man/voxctl.1"), "utf8")).toContain(".TH VOXCTL 1");
    const page = readFileSync(join(installed, "dist/man/voxctl-contacts.1"), "utf8");
    expect(page).toContain(".SS voxctl contacts import");
    expect(page).toContain("\\-\\-create\\-group");
  });

  it("the npm package contains the GitHub Action of the guide about test calls", () => {
    expect(readFileSync(join(installed, "action.yml"), "utf8")).toContain("using: composite");
  });

  it("the npm package passes the check of licenses and size", () => {
    const argv = ["scripts/check-package.mjs", "--preview"];
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd: root, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining("the limit is")]);
  });

  it("the documents in the npm package have no links to missing files", () => {
    for (const path of files().filter((file) => file.endsWith(".md"))) {
      const text = readFileSync(join(installed, path), "utf8");
      const targets = [...text.matchAll(/\]\(([\w./-]+)(?=[)#])/g)].map(([, target = ""]) => target);
      const missing = targets.filter((target) => !existsSync(join(installed, dirname(path), target)));
      expect([path, missing]).toEqual([path, []]);
    }
  });

  it("the npm package is refused if licenses or URLs are missing", () => {
    const source = join(folder, "published");
    for (const part of ["package.json", "scripts", "dist", "src/base/design"])
      cpSync(join(root, part), join(source, part), { recursive: true });
    const check = (...flags: readonly string[]) => {
      const argv = ["scripts/check-package.mjs", ...flags];
      const { status, stderr } = spawnSync(process.execPath, argv, { cwd: source, encoding: "utf8" });
      return [status, stderr];
    };
    const { scripts } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    expect(scripts.prepublishOnly).toBe("node scripts/check-package.mjs");
    expect(check()).toEqual([1, expect.stringContaining("package.json has no repository")]);
    expect(check("--preview")).toEqual([0, expect.stringContaining("package.json has no repository")]);
    const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    const urls = { repository: "example/voxctl", bugs: "https://a.example", homepage: "https://a.example" };
    writeFileSync(join(source, "package.json"), JSON.stringify({ ...manifest, ...urls }));
    expect(check()).toEqual([0, ""]);
    const excess = Array.from({ length: 150 }, (_, at) => join(source, "dist", `${at}.cjs`));
    for (const path of excess) writeFileSync(path, "");
    expect(check("--preview")).toEqual([1, expect.stringMatching(/has \d+ files; the limit is 150/)]);
    for (const path of excess) rmSync(path);
    const licenses = join(source, "dist/THIRD-PARTY-LICENSES");
    writeFileSync(licenses, readFileSync(licenses, "utf8").replace(/^- zod .*\n/m, ""));
    expect(check()).toEqual([1, expect.stringContaining("does not contain the bundled library zod")]);
    rmSync(licenses);
    expect(check()).toEqual([1, expect.stringContaining("dist/THIRD-PARTY-LICENSES not found")]);
  }, 240_000);

  it("the npm package exports two libraries with complete types", () => {
    writeFileSync(
      join(elsewhere, "use.ts"),
      `import { openEmulator, type Emulator } from "voxctl/emulator";
import { createClient, systemRandom, type ServiceClient } from "voxctl/client";
const emulator: Emulator = await openEmulator({ seed: "empty" });
const client: ServiceClient = createClient({
  targets: { public: { baseUrl: emulator.startLine.base_url, key: emulator.startLine.keys.admin } },
  transport: emulator.transport,
  clock: emulator.clock,
  random: systemRandom(),
});
const answer = await client.call("ping");
console.log(answer.status);
// These texts are read from the package's own files when they are asked for.
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
      "--skipLibCheck",
      "false",
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
