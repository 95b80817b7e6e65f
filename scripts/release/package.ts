import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Writes the package to a directory, as `NAME-VERSION.tgz`.
 * @param project a built copy of the project
 */
export function writePackage(project: string, directory: string): void {
  const paths = packedPaths(project);
  const stage = mkdtempSync(join(tmpdir(), "voxctl-package-"));
  try {
    for (const path of paths) {
      mkdirSync(dirname(join(stage, path)), { recursive: true });
      if (path === "package.json" || path.endsWith(".md")) {
        const text = readFileSync(join(project, path), "utf8");
        const isMissing = (target: string) => !paths.includes(target) && existsSync(join(project, target));
        writeFileSync(
          join(stage, path),
          path === "package.json" ? packedManifest(text) : packedDocument(path, text, isMissing),
        );
      } else cpSync(join(project, path), join(stage, path));
    }
    npm(stage, "pack", "--silent", "--ignore-scripts", "--pack-destination", directory);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function packedPaths(project: string): string[] {
  const [{ files }] = JSON.parse(npm(project, "pack", "--dry-run", "--json", "--ignore-scripts"));
  return files.map(({ path }: { path: string }) => path);
}

/**
 * Returns package.json without the parts for developers. Without `scripts`, npm doesn't warn about scripts
 * that it doesn't run.
 */
export function packedManifest(text: string): string {
  const { scripts, devDependencies, overrides, ...packed } = JSON.parse(text);
  return `${JSON.stringify(packed, null, 2)}\n`;
}

/**
 * Returns a document in which links to files outside of the package are plain text.
 * @param path the document's path in the project
 * @param isMissing whether a path in the project is not in the package
 */
export function packedDocument(path: string, text: string, isMissing: (path: string) => boolean): string {
  const packed = text.replace(
    /!?\[([^\]]+)\]\(([\w./-]+)(?:#[\w-]*)?\)/g,
    (link, label: string, target: string) => {
      if (!isMissing(join(dirname(path), target))) return link;
      return link.startsWith("!") ? "" : label;
    },
  );
  return packed === text
    ? text
    : `${packed.trimEnd()}\n\nDocuments without a link are only in voxctl's repository.\n`;
}

function npm(cwd: string, ...args: readonly string[]): string {
  // On Windows, npm is a cmd script, and cmd scripts need a shell.
  const shell = process.platform === "win32";
  return execFileSync("npm", args, { cwd, encoding: "utf8", shell, stdio: ["ignore", "pipe", "ignore"] });
}
