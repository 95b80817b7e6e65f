import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptProgram } from "../../base/own-program.js";
import { embedded } from "../../base/single-executable.js";
import type { Folders } from "./folders.js";
import { KeychainError } from "./keychain.js";

const service = "voxctl";

/**
 * Script that queries the keychain in a separate process. A query in voxctl's process can't be aborted while
 * the system asks the user to unlock the keychain. On Linux, uses only the Secret Service, because the kernel
 * keyring is cleared on restart.
 */
const helper = `
const { Entry } = require(process.argv[1]);
let text = "";
process.stdin.on("data", (part) => { text += part; }).on("end", () => {
  try {
    const { service, action, accounts, value } = JSON.parse(text);
    const entries = accounts.map((name) => new Entry(service, name, { linux: { store: "secret-service" } }));
    const answers = entries.map((entry) => {
      if (action === "write") return entry.setPassword(value);
      return action === "remove" ? entry.deletePassword() : entry.getPassword();
    });
    process.stdout.write(JSON.stringify({ answers: answers.map((answer) => answer ?? null) }));
  } catch (error) {
    process.stdout.write(JSON.stringify({ problem: String(error.message) }));
  }
});
`;

interface Waiting {
  /** In milliseconds. */
  timeout: number;
  /** Calls `notify` after `after` milliseconds of waiting. */
  slow?: { after: number; notify(): void };
  signal?: AbortSignal;
}

/**
 * @param library the module that accesses the keychain (default: voxctl's own)
 * @throws KeychainError if the keychain is unavailable or doesn't respond in time; otherwise the signal's
 * reason
 */
export async function askHelper(request: object, waiting: Waiting, library?: string): Promise<unknown> {
  const { slow, signal } = waiting;
  const reminder = slow && setTimeout(slow.notify, slow.after);
  try {
    const ask = (path: string) => run(path, { service, ...request }, waiting);
    return await (library === undefined ? useLibrary(ask) : ask(library));
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(reminder);
  }
}

/**
 * The single-file executable copies the module to a private file, because native code can be loaded only from
 * files.
 */
async function useLibrary<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
  const held = embedded("keyring.node");
  if (held === undefined) return use(findLibrary());
  const folder = await mkdtemp(join(tmpdir(), "voxctl-keychain-"));
  try {
    const path = join(folder, "keyring.node");
    await writeFile(path, held, { mode: 0o600 });
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function findLibrary(): string {
  try {
    return createRequire(import.meta.url).resolve("@napi-rs/keyring");
  } catch (error) {
    throw new KeychainError("its library is not installed for this system", { cause: error });
  }
}

function run(library: string, request: object, { timeout, signal }: Waiting): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { program, args } = scriptProgram(helper);
    const child = execFile(
      program,
      [...args, library],
      { timeout, killSignal: "SIGKILL", windowsHide: true, ...(signal ? { signal } : {}) },
      (error, stdout) => {
        if (error?.killed) return reject(new KeychainError(`no response within ${timeout / 1_000} s`));
        try {
          resolve(JSON.parse(stdout));
        } catch {
          // Don't show the error or the output: the error quotes the command line, and the output may contain
          // a key.
          reject(new KeychainError("no response"));
        }
      },
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(JSON.stringify(request));
  });
}

/**
 * Contains a hash of the configuration directory, because two directories may have profiles with the same
 * name.
 */
export function buildKeychainAccount(folders: Folders, profile: string, api: string): string {
  const folderHash = createHash("sha256").update(folders.config).digest("hex").slice(0, 8);
  return `${profile}/${api}@${folderHash}`;
}
