// The Node.js version of the single executable.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** In this release line, SQLite is stable and single executables can ignore NODE_OPTIONS. */
export const nodeVersion = "24.21.0";

/**
 * Returns the path of a Node.js executable of version `nodeVersion`. Installs a missing executable from npm
 * under node_modules/.cache.
 * @param root the project's directory
 * @throws Error if npm has no such version for this platform; use `--node PATH`
 */
export function nodeFromNpm(root) {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const prefix = platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  const name = `${prefix}-${platform}-${process.arch}`;
  const folder = join(root, "node_modules", ".cache", `node-${nodeVersion}`);
  const path = join(folder, "node_modules", name, "bin", platform === "win" ? "node.exe" : "node");
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const words = ["install", `${name}@${nodeVersion}`, "--ignore-scripts", "--prefer-offline"];
  try {
    // On Windows, npm is a cmd script, and cmd scripts need a shell. The shell is safe, because no argument
    // comes from a user.
    execFileSync("npm", [...words, "--no-audit", "--no-fund", "--silent"], {
      cwd: folder,
      shell: platform === "win",
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    throw new Error(`npm has no ${name}@${nodeVersion}: specify a Node 24 with --node PATH`, {
      cause: error,
    });
  }
  return path;
}

/** Returns the path of Node's license file, which is part of every Node archive. */
export function nodeLicense(node) {
  const folder = dirname(realpathSync(node));
  const path = [join(folder, "..", "LICENSE"), join(folder, "LICENSE")].find((path) => existsSync(path));
  if (path === undefined) throw new Error(`no LICENSE next to ${node}: use Node from its archive`);
  return path;
}
