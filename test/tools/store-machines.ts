import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, expect } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { bin, emptySeed, startServer } from "../helpers/installed-cli.js";
import { type Ended, runBuilt, runKilledAt } from "../helpers/processes.js";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres.js";
import { findMissingPostgres } from "./programs.js";

/** Starts a PostgreSQL server, and removes it after the tests of the file. */
export async function usePostgres(): Promise<PostgresServer> {
  expect(findMissingPostgres()).toBeUndefined();
  const server = await startPostgres(findPostgres() ?? "");
  afterAll(() => server.remove());
  return server;
}

/**
 * Creates a store.
 * @param service environment variables that machines need to reach the service
 * @returns the store's address and key, and a function that creates machines with separate home directories
 */
export async function createStore(
  postgres: PostgresServer,
  schema: string,
  service: Readonly<Record<string, string>>,
) {
  const address = postgres.address(schema);
  const env = { HOME: temporaryFolder(), VOXCTL_STORE: address };
  const { key } = JSON.parse((await runBuilt(["store", "init", "-o", "json"], { env })).stdout);
  const createMachine = (more: Record<string, string | undefined> = {}) => {
    const home = temporaryFolder();
    const all = {
      HOME: home,
      VOXCTL_CONFIG_DIR: join(home, "config"),
      VOXCTL_DATA_DIR: join(home, "data"),
      VOXCTL_KEYCHAIN: "off",
      ...{ VOXCTL_STORE: address, VOXCTL_STORE_KEY: key, VOXCTL_STORE_LEASE: "3s" },
      ...service,
      ...more,
    };
    const ownEnv = Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const options = { env: ownEnv, cwd: home };
    const run = (...argv: string[]): Promise<Ended> => runBuilt(argv, options);
    return {
      ...{ home, env: ownEnv, run },
      runWith: (changed: Record<string, string>, ...argv: string[]): Promise<Ended> =>
        runBuilt(argv, { ...options, env: { ...ownEnv, ...changed } }),
      runKilledAt: (step: string, ...argv: string[]): Promise<Ended> => runKilledAt(step, argv, options),
      /** Runs a command that must succeed, and returns its JSON. */
      // biome-ignore lint/suspicious/noExplicitAny: tests look into results of any shape
      async json(...argv: string[]): Promise<any> {
        const { code, stdout, stderr } = await run(...argv, "-o", "json");
        if (code !== 0) throw new Error(`voxctl ${argv.join(" ")}: exit code ${code}\n${stderr}`);
        return JSON.parse(stdout);
      },
    };
  };
  return { address, key, createMachine };
}

/** Creates a store and an emulator server. `createMachine` creates machines that use both. */
export async function setUpStore(postgres: PostgresServer, schema: string, ...serverFlags: string[]) {
  const { line } = await startServer("--db", ":memory:", ...emptySeed, ...serverFlags);
  const service: Record<string, string> = {
    ...{ VOXCTL_BASE_URL: line.base_url, VOXCTL_API_KEY: line.keys.admin },
    ...{ VOXCTL_DISTRIBUTOR_URL: line.distributor_v2_url, VOXCTL_DISTRIBUTOR_KEY: line.keys.distributor_v2 },
  };
  const { address, key, createMachine } = await createStore(postgres, schema, service);
  const setFaults = async (request: RequestInit): Promise<void> => {
    const headers = { authorization: `Bearer ${line.control_token}`, "content-type": "application/json" };
    const { status } = await fetch(`${line.control_url}/faults`, { headers, ...request });
    if (status >= 300) throw new Error(`the fault was refused with status ${status}`);
  };
  const addFault = (fault: object) => setFaults({ method: "POST", body: JSON.stringify(fault) });
  const clearFaults = () => setFaults({ method: "DELETE" });
  return { address, key, service, createMachine, addFault, clearFaults };
}

const contactsHeader = "first_name,last_name,phone_numbers";

/** Creates a machine with a file of contacts. Its `import` imports that file. */
export function createImporter(
  { createMachine }: Pick<Awaited<ReturnType<typeof createStore>>, "createMachine">,
  contacts: readonly string[],
  more: Record<string, string | undefined> = {},
) {
  const machine = createMachine(more);
  const file = join(machine.home, "kunden.csv");
  writeFileSync(file, [contactsHeader, ...contacts].join("\n"));
  const importing = [
    ...["contacts", "import", file, "--group", "Kunden", "--create-group"],
    ...["--settle", "1s", "--timeout", "10s", "-o", "json"],
  ];
  return {
    ...machine,
    importing,
    import: (...flags: string[]) => machine.run(...importing, ...flags),
    importKilledAt: (step: string) => machine.runKilledAt(step, ...importing),
    /** Starts an import in a separate process, to which the test can send signals. */
    start() {
      const child = spawn(process.execPath, [bin, ...importing], {
        env: { ...inheritedEnvironment(), ...machine.env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const stderr = text(child.stderr);
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
      return { child, ended, stderr };
    },
    /** The contacts in the group, including duplicates. */
    contacts: async (): Promise<{ first_name: string; created_at: string }[]> =>
      machine.json("contacts", "list", "--group", "Kunden", "--all"),
    runs: async (): Promise<{ id: string; state: string }[]> => machine.json("runs", "list"),
  };
}

/** Gives each test of a file its own store. */
export function useStores(postgres: PostgresServer, prefix: string) {
  let schemas = 0;
  let schema = "";
  let store: Awaited<ReturnType<typeof setUpStore>>;
  beforeEach(async () => {
    schemas += 1;
    schema = `${prefix}_${schemas}`;
    store = await setUpStore(postgres, schema);
  });
  return {
    get schema() {
      return schema;
    },
    get store() {
      return store;
    },
    createImporter(more: Record<string, string | undefined> = {}, length = importedRows) {
      const contacts = Array.from(
        { length },
        (_, index) => `Vera${index},Meier${index},+4930123${1000 + index}`,
      );
      return createImporter(store, contacts, more);
    },
    countEntries: () => Number(postgres.sql(`SELECT count(*) FROM ${schema}.entry`)),
  };
}

export const importedRows = 60;

export function succeed({ code, stderr }: Ended): void {
  expect(code, stderr).toBe(0);
}

export async function until(isMet: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200 && !isMet(); attempt += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
