// What `npm run proof` is made of.

/** @typedef {{ about: string, files?: string[], script?: string[], node?: string, seeded?: boolean }} Part */

/** Node's oldest release that voxctl runs on, and the newest of each line after it. */
const versions = ["20.19.0", "22", "24"];

/**
 * By name, in the order in which they run: files of tests, each at its full length (`PROOF=1`); a script of this
 * project; or a version of Node, for the suite of `npm test`. `seeded`: another PROOF_SEED is another proof.
 * @type {Readonly<Record<string, Part>>}
 */
export const parts = {
  kills: {
    about:
      "an import, an undo and a provisioning that are killed, at every step and at random moments, under faults",
    files: ["test/acceptance/killed.test.ts", "test/acceptance/provision.test.ts"],
    seeded: true,
  },
  server: {
    about: "a server that is killed under load keeps what it acknowledged",
    files: ["test/emulator/killed-server.test.ts"],
  },
  limit: {
    about: "processes that share one key's limit",
    files: ["test/acceptance/shared-limit.test.ts"],
  },
  model: {
    about: "random sequences of requests, against models of the documents",
    files: ["test/model/model.test.ts", "test/emulator/distributor/life-cycle.test.ts"],
    seeded: true,
  },
  fuzz: {
    about: "random and nearly valid requests at every operation",
    files: ["test/fuzz/fuzz.test.ts"],
    seeded: true,
  },
  histories: {
    about: "many connections at once, judged by what they recorded",
    files: ["test/emulator/histories.test.ts"],
  },
  clock: {
    about: "many small advances of the clock and one large one",
    files: ["test/emulator/clock-steps.test.ts"],
  },
  mutants: {
    about: "every rule broken once: some test that names it fails",
    script: ["--import", "tsx", "scripts/mutants.ts"],
  },
  ...Object.fromEntries(
    versions.map((version) => [`node-${version}`, { about: `the suite on Node ${version}`, node: version }]),
  ),
};

/**
 * The parts that were named, all without names. The beginning of a name is enough: `node` is every version.
 * @param {readonly string[]} names
 * @throws Error for a name that is none
 */
export function chosenParts(names) {
  const all = Object.keys(parts);
  for (const name of names) {
    if (!all.some((part) => part.startsWith(name)))
      throw new Error(`there is no part "${name}"; there are ${all.join(", ")}`);
  }
  return all.filter((part) => names.length === 0 || names.some((name) => part.startsWith(name)));
}
