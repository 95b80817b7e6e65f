// Performs the steps of a release that don't require a maintainer's keys (docs/releasing.md):
//
//   npm run release -- VERSION [--dry-run] [--binary] [--with ARCHIVE]… [--base-url URL] [--publisher NAME] [--output DIRECTORY]
//
// A dry run performs the steps in a copy of this checkout, without checks, tests and commit.
import { execFileSync } from "node:child_process";
import {
  accessSync,
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
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { systemClock } from "../src/base/clock.js";
import { type ArchivedFile, tarGz, zip } from "./release/archive.js";
import { checksumsText, sha256 } from "./release/checksums.js";
import { containerDockerfile } from "./release/container.js";
import { archiveName, packageManifests } from "./release/manifests.js";
import { findFormer, replaceFiles } from "./release/output.js";
import { writePackage } from "./release/package.js";
import { buildSbom } from "./release/sbom.js";
import { notesOf, releasedChangelog, withVersion } from "./release/version.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const notCopied = new Set(["node_modules", "dist", "dist-binary", "release", ".git", "coverage"]);

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    "dry-run": { type: "boolean", default: false },
    binary: { type: "boolean", default: false },
    with: { type: "string", multiple: true, default: [] },
    "base-url": { type: "string" },
    publisher: { type: "string" },
    output: { type: "string" },
  },
});
const isDryRun = options["dry-run"];
const [version] = positionals;
const output = resolve(options.output ?? join(root, "release"));
/** The new files replace an earlier release's files only after all steps succeed. */
const draft = mkdtempSync(join(tmpdir(), "voxctl-release-"));

try {
  await release();
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(draft, { recursive: true, force: true });
}

async function release(): Promise<void> {
  if (version === undefined || positionals.length > 1) throw new Error("expected one version, such as 1.2.3");
  if (!isDryRun && git("status", "--porcelain") !== "")
    throw new Error("there are uncommitted changes; commit them first");
  for (const archive of options.with) accessSync(archive);
  const former = findFormer(output, options.with);
  const copy = isDryRun ? mkdtempSync(join(tmpdir(), "voxctl-release-")) : undefined;
  const folder = copy ?? root;
  try {
    if (copy !== undefined) copyProject(copy);
    step("version and changelog");
    const notes = writeVersion(folder, version);
    step("generated files and the build");
    run(folder, process.execPath, "--import", "tsx", "scripts/generate.ts");
    run(folder, process.execPath, "scripts/build.mjs");
    step("check for publishing");
    run(folder, process.execPath, "scripts/check-package.mjs", ...(isDryRun ? ["--preview"] : []));
    if (!isDryRun) {
      step("checks and tests");
      run(folder, "npm", "run", "--silent", "check");
      run(folder, "npm", "test");
    }
    step("package");
    writePackage(folder, draft);
    writePackageCompanions(folder, version);
    for (const archive of options.with) cpSync(archive, join(draft, basename(archive)));
    if (options.binary) {
      step("single executable");
      await archiveBinary(folder, version);
    }
    step("checksums, notes, manifests");
    writeAccompanying(folder, version, notes);
    replaceFiles(output, former, draft);
    if (isDryRun) console.log("Dry run: no files were changed.");
    else commit(version);
    console.log(`${output}: ${readdirSync(output).join(", ")}`);
  } finally {
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
  }
}

function copyProject(copy: string): void {
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !notCopied.has(path.slice(root.length).split(/[\\/]/)[0] ?? ""),
  });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
}

/** Returns the version's section of the changelog. */
function writeVersion(folder: string, next: string): string {
  const edit = (name: string, change: (text: string) => string) => {
    const text = change(readFileSync(join(folder, name), "utf8"));
    writeFileSync(join(folder, name), text);
    return text;
  };
  for (const name of ["package.json", "package-lock.json"]) edit(name, (text) => withVersion(text, next));
  const today = new Date(systemClock().now()).toISOString().slice(0, 10);
  return notesOf(
    edit("CHANGELOG.md", (text) => releasedChangelog(text, next, today)),
    next,
  );
}

function writePackageCompanions(folder: string, next: string): void {
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(draft, name), content);
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const name = `voxctl-${next}`;
  const product = JSON.parse(read("package.json"));
  write(`${name}.cdx.json`, sbom(folder, "dist", Object.keys(product.optionalDependencies)));
  const maps = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".map"))
    .sort()
    .map(
      (path): ArchivedFile => ({
        name: `dist/${path.replaceAll("\\", "/")}`,
        bytes: readFileSync(join(folder, "dist", path)),
      }),
    );
  write(`${name}-source-maps.tar.gz`, tarGz(maps));
  const dockerfile = containerDockerfile(read("Dockerfile"), `${name}.tgz`);
  const context: ArchivedFile[] = [
    { name: "Dockerfile", bytes: Buffer.from(dockerfile) },
    { name: `${name}.tgz`, bytes: readFileSync(join(draft, `${name}.tgz`)) },
  ];
  write(`${name}-container.tar.gz`, tarGz(context));
}

/**
 * @param build directory with the build's THIRD-PARTY-LICENSES
 * @param installed names of the packages that npm installs with the build
 */
function sbom(folder: string, build: string, installed: readonly string[]): string {
  const read = (...path: string[]) => readFileSync(join(folder, ...path), "utf8");
  const licenses = read(build, "THIRD-PARTY-LICENSES");
  const { packages: lock } = JSON.parse(read("package-lock.json"));
  const timestamp = new Date(git("log", "-1", "--format=%cI")).toISOString();
  return buildSbom(JSON.parse(read("package.json")), { licenses, installed, lock, timestamp });
}

async function archiveBinary(folder: string, next: string): Promise<void> {
  const made = join(folder, "dist-binary");
  run(folder, process.execPath, "scripts/binary.mjs", "--output", made);
  writeFileSync(join(made, "voxctl.cdx.json"), sbom(folder, "dist-binary", []));
  const isWindows = process.platform === "win32";
  const name = archiveName(next, `${isWindows ? "win" : process.platform}-${process.arch}`);
  const file = (path: string, from: string, isExecutable = false): ArchivedFile => ({
    name: `${name}/${path}`,
    bytes: readFileSync(from),
    isExecutable,
  });
  const all = (target: string, source: string) =>
    readdirSync(join(folder, source)).map((name) => file(`${target}/${name}`, join(folder, source, name)));
  const program = isWindows ? "voxctl.exe" : "voxctl";
  const files = [
    file(program, join(made, program), true),
    file("LICENSE", join(folder, "LICENSE")),
    ...["THIRD-PARTY-LICENSES", "voxctl.cdx.json"].map((name) => file(name, join(made, name))),
    ...all("completions", "completions"),
    ...(isWindows ? [] : all("share/man/man1", "dist/man")),
  ];
  if (isWindows) writeFileSync(join(draft, `${name}.zip`), await zip(files));
  else writeFileSync(join(draft, `${name}.tar.gz`), tarGz(files));
}

function writeAccompanying(folder: string, next: string, notes: string): void {
  const checksums = new Map(
    readdirSync(draft).map((name) => [name, sha256(readFileSync(join(draft, name)))]),
  );
  writeFileSync(join(draft, "SHA256SUMS"), checksumsText(checksums));
  writeFileSync(join(draft, "NOTES.md"), `${notes}\n`);
  // Only a dry run can lack a homepage here: in other runs, check-package.mjs fails first.
  const {
    homepage = "https://voxctl.example",
    description,
    license,
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const baseUrl = options["base-url"] ?? (isDryRun ? `${homepage}/${next}` : undefined);
  if (baseUrl === undefined) {
    console.log("no manifests: they require --base-url, the URL of the downloads");
    return;
  }
  const publisher = options.publisher ?? "Publisher";
  const texts = packageManifests({
    version: next,
    baseUrl,
    homepage,
    publisher,
    description,
    license,
    checksums,
  });
  for (const [name, text] of texts) {
    mkdirSync(join(draft, dirname(name)), { recursive: true });
    writeFileSync(join(draft, name), text);
  }
}

function commit(next: string): void {
  step("commit and tag");
  git("commit", "--all", "--message", `voxctl ${next}`);
  git("tag", "--annotate", `v${next}`, "--message", `voxctl ${next}`);
  console.log("next, manually (docs/releasing.md): push the commit and its tag, publish, upload the files");
}

function step(title: string): void {
  console.log(`== ${title}`);
}

function run(folder: string, program: string, ...args: readonly string[]): void {
  // On Windows, npm is a cmd script, and cmd scripts need a shell.
  const shell = program === "npm" && process.platform === "win32";
  execFileSync(program, args, { cwd: folder, stdio: "inherit", shell });
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}
