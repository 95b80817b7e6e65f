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

/** Before any test: the built command is the one of these sources. */
export default function setup(): void {
  const built = join(root, "dist/cli.js");
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(newest("src"), newest("scripts"))) return;
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: "inherit" });
}
