// Builds voxctl as a single executable for the current platform: one file with Node 24, voxctl and voxctl's
// assets.
//
//   node scripts/binary.mjs [--node PATH] [--output DIRECTORY]
//
// Tested on Linux x64 (test/tools/binary.test.ts). The steps for macOS and Windows follow Node's
// documentation and are untested.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundleOneFile } from "./binary/bundle.mjs";
import { nodeFromNpm, nodeLicense } from "./binary/node.mjs";
import { libraryName, licensedNames, licenseFile, licenseText } from "./licenses.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { node: { type: "string" }, output: { type: "string" } } });
const node = values.node === undefined ? nodeFromNpm(root) : resolve(values.node);
const output = resolve(values.output ?? join(root, "dist-binary"));

const major = Number(execFileSync(node, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" }));
if (major < 24) throw new Error(`${node} is Node ${major}: the executable needs the SQLite of Node 24`);
if (!existsSync(join(root, "dist/assets/ui.js"))) throw new Error("dist/ not found: run npm run build");

const postject = fileURLToPath(import.meta.resolve("postject/dist/cli.js"));
/** The marker by which Node detects an injected program. */
const injection = [
  ...["--sentinel-fuse", "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"],
  ...(process.platform === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : []),
];
const executable = join(output, process.platform === "win32" ? "voxctl.exe" : "voxctl");
const work = mkdtempSync(join(tmpdir(), "voxctl-binary-"));
try {
  mkdirSync(output, { recursive: true });
  const libraries = await bundleOneFile(root, join(work, "voxctl.cjs"));
  execFileSync(node, ["--experimental-sea-config", writeConfig()], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  // Delete the old file first: a running executable can't be overwritten.
  rmSync(executable, { force: true });
  copyFileSync(node, executable);
  chmodSync(executable, 0o755);
  // Adding the script invalidates Node's signature. The file is signed again below, because macOS on Apple silicon refuses unsigned
  // programs.
  if (process.platform === "darwin") execFileSync("codesign", ["--remove-signature", executable]);
  // Hide postject's output, which contains warnings about unknown sections. If postject fails, the error
  // contains the output.
  execFileSync(
    process.execPath,
    [postject, executable, "NODE_SEA_BLOB", join(work, "voxctl.blob"), ...injection],
    {
      stdio: "pipe",
    },
  );
  if (process.platform === "darwin") execFileSync("codesign", ["--sign", "-", executable]);
  writeFileSync(join(output, licenseFile), executableLicenses(libraries));
  check();
  console.log(executable);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function writeConfig() {
  const assets = Object.fromEntries(
    ["ui.js", "ui.css", "docs.js", "docs.css", "design.css"].map((name) => [
      name,
      join(root, "dist/assets", name),
    ]),
  );
  const addon = keychainAddon();
  if (addon !== undefined) assets["keyring.node"] = addon;
  const config = {
    main: join(work, "voxctl.cjs"),
    output: join(work, "voxctl.blob"),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    // Ignore NODE_OPTIONS. Users set it for other programs, and it can name a module that the executable
    // can't find.
    execArgv: [],
    execArgvExtension: "none",
    assets,
  };
  writeFileSync(join(work, "config.json"), JSON.stringify(config));
  return join(work, "config.json");
}

/**
 * Returns the path of this platform's keychain library; undefined if npm didn't install it. Without the
 * library, voxctl stores keys in a file.
 */
function keychainAddon() {
  const system = { linux: "-gnu", win32: "-msvc" }[process.platform] ?? "";
  const name = `@napi-rs/keyring-${process.platform}-${process.arch}${system}`;
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return undefined;
  }
}

/** Returns the licenses of Node.js, the script's libraries, the keychain library, and the libraries of the pages in `dist/`. */
function executableLicenses(libraries) {
  const addon = keychainAddon();
  if (addon !== undefined) libraries.add(dirname(addon)).add(join(dirname(addon), "../keyring"));
  const isAdded = (name) => [...libraries].some((folder) => libraryName(folder) === name);
  for (const name of licensedNames(readFileSync(join(root, "dist", licenseFile), "utf8"))) {
    const folder = join(root, "node_modules", name);
    if (!isAdded(name) && existsSync(folder)) libraries.add(folder);
  }
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
  const text = readFileSync(nodeLicense(node), "utf8").trim();
  return licenseText(libraries, [{ title: `node ${version}`, license: "see below", text }]);
}

/** Checks that the executable starts and ignores NODE_OPTIONS. */
function check() {
  const env = { ...process.env, NODE_OPTIONS: "--import=./is-not-there.mjs" };
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const printed = execFileSync(executable, ["--version"], { env, encoding: "utf8" }).trim();
  if (printed !== version) throw new Error(`the executable has version ${printed}, not ${version}`);
}
