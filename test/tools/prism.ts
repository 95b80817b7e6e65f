import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The last version for Node 20. */
const version = "5.14.2";
const folder = fileURLToPath(new URL(`../../node_modules/.cache/prism-${version}`, import.meta.url));
const command = join(folder, "node_modules/@stoplight/prism-cli/dist/index.js");

/**
 * Installs Prism separately, because it would double the number of the project's packages.
 * @returns the reason if Prism is missing, also printed on stderr; undefined if it exists
 */
export function missingPrism(): string | undefined {
  if (existsSync(command)) return undefined;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const parameters = ["install", `@stoplight/prism-cli@${version}`, "--ignore-scripts", "--prefer-offline"];
  const { status, stderr } = spawnSync("npm", [...parameters, "--no-audit", "--no-fund", "--silent"], {
    cwd: folder,
    encoding: "utf8",
    timeout: 280_000,
  });
  if (status === 0 && existsSync(command)) return undefined;
  const reason = `missing: @stoplight/prism-cli@${version}, which npm could not install: ${stderr}`;
  console.warn(`skipped, ${reason}`);
  return reason;
}

export interface Prism {
  url: string;
  stop(): Promise<void>;
}

/** Starts Prism as a proxy that responds with an error to an undocumented request or response. */
export async function startPrism(document: string, upstream: string): Promise<Prism> {
  const child = spawn(
    process.execPath,
    [command, "proxy", document, upstream, "--errors", "--host", "127.0.0.1", "--port", "0"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /Prism is listening on (http:\/\/[\d.]+:\d+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, stop: () => ended(child) };
  }
  throw new Error("Prism ended before it listened");
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}
