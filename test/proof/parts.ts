import { type Moment, moments } from "./moments.js";

/** A part of the proof. Its work is one of `files`, `script`, `node` and `moment`. */
export interface Part {
  about: string;
  /** Test files, each at full length (`PROOF=1`): either all or none are in `test/tools`. */
  files?: readonly string[];
  script?: readonly string[];
  /** A version of Node for `npm test` and `npm run test:checks`. */
  node?: string;
  moment?: Moment;
  /** Whether PROOF_SEED selects the random values of the part. */
  seeded?: boolean;
}

/** The oldest supported release of Node, and the newest of each later line. */
const versions = ["20.19.0", "22", "24"];

export const parts: Readonly<Record<string, Part>> = {
  kills: {
    about: "kills an import, an undo and a provisioning at every step and at random moments, with faults",
    files: [
      "test/acceptance/killed.test.ts",
      "test/acceptance/provision.test.ts",
      "test/acceptance/provision-runs.test.ts",
    ],
    seeded: true,
  },
  examples: {
    about:
      "runs every example of every command's help and every guide; npm test runs one example in thirty, and test:checks the first pages",
    files: ["test/docs/examples.test.ts", "test/docs/guides.test.ts"],
  },
  plans: {
    about:
      "random plans, in process and over HTTP: applied once, interrupted at every step and request, with faults, undone; memory of long plans",
    files: [
      "test/acceptance/apply-random.test.ts",
      "test/bulk/plan-write.test.ts",
      "test/acceptance/plan-memory.test.ts",
    ],
  },
  rehearse: {
    about:
      "random writes to forks: recorded writes and tables show the same effect, and applying it makes the source equal to the fork; random scripts send the source no requests; other deployments",
    files: [
      "test/emulator/forks.test.ts",
      "test/acceptance/rehearsed-plans.test.ts",
      "test/acceptance/rehearse.test.ts",
      "test/acceptance/rehearse-sequences.test.ts",
      "test/acceptance/rehearse-conforming.test.ts",
      "test/acceptance/rehearsed-organizations.test.ts",
    ],
    seeded: true,
  },
  sync: {
    about:
      "300 random pairs of a group and a file, with faults and interruptions at random steps, and 40 with killed processes; a file truncated at every byte; other damaged files, which the guards refuse",
    files: [
      "test/acceptance/sync-pairs.test.ts",
      "test/acceptance/foreign-edits.test.ts",
      "test/acceptance/sync-kills.test.ts",
      "test/acceptance/sync.test.ts",
      "test/acceptance/sync-mishaps.test.ts",
    ],
    seeded: true,
  },
  config: {
    about:
      "configuration as code: random organizations to directories and back; random texts and edits; an apply that ends at every step of its journal or is killed at every write of its lock; every loss of a file, a lock, a permission or the network; hours of two users and a dashboard; edits while an apply runs; 300 organizations from one directory; 2,000 texts",
    files: [
      "test/config/files.test.ts",
      "test/config/losses.test.ts",
      "test/config/killed.test.ts",
      "test/config/random.test.ts",
      "test/config/deletions.test.ts",
      "test/config/hour.test.ts",
      "test/config/concurrent-edits.test.ts",
      "test/config/many-targets.test.ts",
      "test/config/many-texts.test.ts",
      "test/config/live.test.ts",
    ],
    seeded: true,
  },
  organizations: {
    about:
      "random pairs of organization specs, with faults and kills: the result is the second one's tree, and an undo restores the first",
    files: ["test/acceptance/provision-random.test.ts"],
    seeded: true,
  },
  reports: {
    about: "the totals of calls in 50 emulators, in four time zones, equal their statistics",
    files: ["test/cli/report.test.ts"],
  },
  subject: {
    about:
      "100 emulators with a caller in all spellings: each occurrence is found, and erased or listed; other data is unchanged",
    files: ["test/acceptance/subject-random.test.ts"],
    seeded: true,
  },
  mirrors: {
    about:
      "mirrors of every deployment with different reads, one that is killed at each request, and one whose source changes constantly",
    files: [
      "test/mirror/create.test.ts",
      "test/mirror/conforming-service.test.ts",
      "test/mirror/concurrent.test.ts",
      "test/mirror/distributor.test.ts",
      "test/mirror/large.test.ts",
      "test/mirror/random.test.ts",
    ],
    seeded: true,
  },
  webhooks: {
    about:
      "an assistant's webhook is restored after its receiver is killed at random moments; memory of 10,000 captured requests",
    files: ["test/webhook/attach-killed.test.ts", "test/webhook/many-recordings.test.ts"],
    seeded: true,
  },
  exec: {
    about: "a program with an emulator, ended by every signal",
    files: ["test/acceptance/emulator-exec.test.ts"],
  },
  files: {
    about: "every file of contacts, with the built command and over HTTP",
    files: ["test/acceptance/built-import.test.ts", "test/acceptance/import.test.ts"],
  },
  script: {
    about: "one script offline and with a running service, with the built command",
    files: ["test/acceptance/script.test.ts"],
  },
  machines: {
    about:
      "three machines with a store: killed at every step, suspended beyond their leases, with deleted leases; the pace of two and three machines with one key",
    files: ["test/tools/store-takeovers.test.ts"],
  },
  fleet: {
    about:
      "fleets of 20 organizations: 20 times with three workers that are killed and suspended at random, 20 times without a store; 200 members with 4 workers, and on one machine",
    files: ["test/tools/fleet-kills.test.ts"],
    seeded: true,
  },
  server: {
    about:
      "a server under load makes no errors, a killed one keeps acknowledged writes, and no second one opens its file",
    files: [
      "test/emulator/load.test.ts",
      "test/emulator/killed-server.test.ts",
      "test/emulator/sharing.test.ts",
      "test/emulator/file.test.ts",
    ],
  },
  attacks: {
    about: "crafted bodies of 1 MiB that take much processing, and silent connections",
    files: ["test/emulator/attacks.test.ts", "test/emulator/server.test.ts"],
  },
  sockets: {
    about: "every API test also over a socket; npm test runs only those that depend on it",
    files: [
      "test/emulator/bounds.test.ts",
      "test/emulator/clock.test.ts",
      "test/emulator/control.test.ts",
      "test/emulator/coverage.test.ts",
      "test/emulator/head.test.ts",
      "test/emulator/distributor/access.test.ts",
      "test/emulator/distributor/licenses.test.ts",
      "test/emulator/distributor/orgs.test.ts",
      "test/emulator/distributor/partners.test.ts",
      "test/emulator/distributor/usage.test.ts",
      "test/emulator/faults.test.ts",
      "test/emulator/ids.test.ts",
      "test/emulator/incoming-calls.test.ts",
      "test/emulator/openapi.test.ts",
      "test/emulator/public/assistants.test.ts",
      "test/emulator/public/authentication.test.ts",
      "test/emulator/public/calendars.test.ts",
      "test/emulator/public/calls.test.ts",
      "test/emulator/public/contacts.test.ts",
      "test/emulator/public/forwardings.test.ts",
      "test/emulator/public/groups.test.ts",
      "test/emulator/public/items.test.ts",
      "test/emulator/public/knowledge.test.ts",
      "test/emulator/public/limits.test.ts",
      "test/emulator/public/order.test.ts",
      "test/emulator/public/prompts.test.ts",
      "test/emulator/public/pronunciation.test.ts",
      "test/emulator/public/statistics.test.ts",
      "test/emulator/public/tools.test.ts",
      "test/emulator/public/voices.test.ts",
      "test/emulator/public/webhook.test.ts",
      "test/emulator/request-log.test.ts",
      "test/emulator/ui-data.test.ts",
      "test/mcp/http.test.ts",
    ],
  },
  limit: {
    about:
      "processes and machines that share the limit of one key, and a thousand writes within it after each number of writes by others",
    files: [
      "test/acceptance/shared-limit.test.ts",
      "test/client/emulator.test.ts",
      "test/client/limits.test.ts",
      "test/client/several-machines.test.ts",
    ],
  },
  model: {
    about: "random sequences of requests, compared with models of the documents",
    files: [
      "test/model/model.test.ts",
      "test/emulator/distributor/life-cycle.test.ts",
      "test/emulator/public/paging.test.ts",
    ],
    seeded: true,
  },
  fuzz: {
    about: "random and nearly valid requests for every operation",
    files: ["test/fuzz/fuzz.test.ts", "test/emulator/rule-header.test.ts"],
    seeded: true,
  },
  resource: {
    about: "a resource added by the checklist passes all checks and the tests of every layer",
    files: ["test/project/adding-a-resource.test.ts"],
  },
  spreadsheets: {
    about: "spreadsheets crafted to take memory or time, at full size",
    files: ["test/bulk/spreadsheet-limits.test.ts"],
  },
  histories: {
    about: "many concurrent connections, checked by their records",
    files: ["test/emulator/histories.test.ts"],
  },
  statistics: {
    about: "usage of a week in a file of 1,000,000 calls",
    files: ["test/emulator/statistics-at-size.test.ts"],
  },
  clock: {
    about: "many small advances of the clock compared with one large advance",
    files: ["test/emulator/clock-steps.test.ts"],
  },
  conformance: {
    about:
      "the main jobs against every conforming deployment, by the built command; writes docs/conformance.md",
    script: ["--import", "tsx", "test/conformance/run.ts", "--write"],
  },
  "conformance-clock": {
    about: "the same on the test's clock, combined at random, with faults, and killed at each step; the pace",
    files: [
      "test/conformance/matrix.test.ts",
      "test/conformance/combinations.test.ts",
      "test/conformance/kills.test.ts",
      "test/conformance/pace.test.ts",
    ],
    seeded: true,
  },
  "wrong-clocks": {
    about: "hour-long imports with random wrong clocks keep their pace and get few refusals",
    files: ["test/client/wrong-clocks.test.ts"],
    seeded: true,
  },
  hanging: {
    about: "every command with servers that never finish a response, and Ctrl-C",
    files: ["test/conformance/silence.test.ts"],
  },
  webhook: {
    about: "a receiver of webhooks and hostile bytes",
    files: ["test/webhook/listen.test.ts"],
  },
  package: {
    about: "the package as npm builds, packs and installs it",
    files: ["test/project/package.test.ts"],
  },
  executable: {
    about: "the single executable, as a release builds it",
    files: ["test/tools/binary.test.ts"],
  },
  mutants: {
    about: "each API rule broken once: a test that names it must fail",
    script: ["--import", "tsx", "test/mutants/run.ts"],
  },
  ...Object.fromEntries(
    Object.entries(moments).map(([name, moment]) => [
      `days-${name}`,
      { about: `the suite on another day: ${moment.about}`, moment },
    ]),
  ),
  ...Object.fromEntries(
    versions.map((version) => [`node-${version}`, { about: `the suite on Node ${version}`, node: version }]),
  ),
};

/**
 * Returns the named parts, or all parts if `names` is empty. A prefix of a name suffices: `node` selects
 * every version of Node.js.
 * @throws Error for an unknown name
 */
export function chosenParts(names: readonly string[]): [name: string, part: Part][] {
  const all = Object.entries(parts);
  for (const name of names) {
    if (!all.some(([part]) => part.startsWith(name)))
      throw new Error(`unknown part "${name}"; expected one of ${Object.keys(parts).join(", ")}`);
  }
  return all.filter(([part]) => names.length === 0 || names.some((name) => part.startsWith(name)));
}
