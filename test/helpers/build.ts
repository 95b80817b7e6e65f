import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

function newest(folder: string): number {
  return Math.max(
    ...readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}

/** Before any test: builds the command if a source is newer than the built command. */
export default function setup(): void {
  const built = join(root, "dist/cli.cjs");
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(newest("src"), newest("scripts"))) return;
  try {
    execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
  } catch (error) {
    // If the sources don't build, developers can still test other parts with an older build, but CI fails.
    if (process.env["CI"] || !existsSync(built)) throw error;
    console.warn("the sources do not build: the built command under test is an older one");
  }
}
