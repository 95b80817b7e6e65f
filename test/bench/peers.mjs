// Alternatives to the emulator, installed by npm into a separate directory.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { startOther } from "./servers.mjs";

const packages = {
  hono: "4.13.19",
  "@hono/node-server": "2.1.8",
  "json-server": "0.17.4",
  "@stoplight/prism-cli": "5.14.2",
};

/** Installs the alternatives. @returns {boolean} false if npm can't install them */
export function installPeers(folder) {
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  try {
    execFileSync("npm", ["install", "--no-audit", "--no-fund", ...names], { cwd: folder, stdio: "pipe" });
    return true;
  } catch (error) {
    console.error(`  npm can't install ${names.join(", ")}: ${String(error.stderr).trim().split("\n")[0]}`);
    return false;
  }
}

export async function startJsonServer(folder) {
  const contacts = Array.from({ length: 1000 }, (_, index) => ({
    id: `${index}`.padStart(24, "0"),
    group_id: "0".repeat(24),
    first_name: `Anna ${index}`,
    last_name: "Sommer",
    phone_numbers: ["+4915112345678"],
    emails: ["anna@example.org"],
  }));
  writeFileSync(join(folder, "db.json"), JSON.stringify({ contacts }));
  const port = await freePort();
  return startOther(
    binOf(folder, "json-server", "json-server"),
    ["db.json", "--port", port, "--host", "127.0.0.1", "--quiet"],
    { url: `http://127.0.0.1:${port}`, cwd: folder },
  );
}

/** Starts Prism as a mock of the emulator's OpenAPI document. */
export async function startPrism(folder, { url }) {
  const description = await (await fetch(`${url}/api/v1/openapi.json`)).text();
  writeFileSync(join(folder, "openapi.json"), description);
  const port = await freePort();
  return startOther(
    binOf(folder, "@stoplight/prism-cli", "prism"),
    ["mock", "openapi.json", "--port", port, "--host", "127.0.0.1", "--verboseLevel", "silent"],
    { url: `http://127.0.0.1:${port}`, cwd: folder },
  );
}

function binOf(folder, name, command) {
  const path = join(folder, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  return join(path, typeof bin === "string" ? bin : bin[command]);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });
}
