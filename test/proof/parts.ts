// The parts of `npm run proof`.
import { type Moment, moments } from "./moments.js";

/** The work of a part, in one of four ways. */
export interface Part {
  about: string;
  /** Files of tests, each at its full length (`PROOF=1`). */
  files?: readonly string[];
  /** Arguments to Node. */
  script?: readonly string[];
  /** A version of Node, on which the suite of `npm test` is run. */
  node?: string;
  /** A day on which the suite of `npm test` is run. */
  moment?: Moment;
  /** Another PROOF_SEED is another proof. */
  seeded?: boolean;
}

/** Node's oldest release that voxctl runs on, and the newest of each line after it. */
const versions = ["20.19.0", "22", "24"];

/** By name, in the order in which they run. */
export const parts: Readonly<Record<string, Part>> = {
  kills: {
    about:
      "an import, an undo and a provisioning that are killed, at every step and at random moments, under faults",
    files: [
      "test/acceptance/killed.test.ts",
      "test/acceptance/provision.test.ts",
      "test/acceptance/provision-runs.test.ts",
    ],
    seeded: true,
  },
  examples: {
    about:
      "every example of every command's help and every guide; npm test tries one in thirty, and what a reader meets first",
    files: ["test/docs/examples.test.ts", "test/docs/guides.test.ts"],
  },
  plans: {
    about:
      "random plans, in process and over HTTP: as by hand, done once, cut at every step and request, under faults, undone; the memory of long ones",
    files: [
      "test/acceptance/apply-random.test.ts",
      "test/bulk/plan-write.test.ts",
      "test/acceptance/plan-memory.test.ts",
    ],
  },
  rehearse: {
    about:
      "random writes to forks: their effect by what was recorded is that by their tables, and applied, leaves the source as the fork; random scripts, of which the source hears nothing; other deployments",
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
      "300 random pairs of a group and a file, with faults and interruptions at random steps, and 40 whose processes are killed; a file cut at every byte; files with other mishaps, which pass no guard",
    files: [
      "test/acceptance/sync-pairs.test.ts",
      "test/acceptance/sync-kills.test.ts",
      "test/acceptance/sync.test.ts",
      "test/acceptance/sync-mishaps.test.ts",
    ],
    seeded: true,
  },
  config: {
    about:
      "configuration as code: random organizations as folders, and back; texts and edits of files at random, an apply that ends at every step of its journal, one that is killed at every write of its lock, every loss of a file, a lock, a right or the network, hours of two people and a dashboard, edits while an apply runs, 300 organizations from one folder, 2,000 texts",
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
    about: "random pairs of plans of organizations, under faults and kills: the second one's tree, and back",
    files: ["test/acceptance/provision-random.test.ts"],
    seeded: true,
  },
  reports: {
    about: "the calls of 50 emulators, summed up in four time zones, agree with their statistics",
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
      "mirrors of every deployment that reads otherwise, one that is killed at each request, and one whose source is written all the time",
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
      "an assistant that leads to a receiver which is killed at random moments, put back; the memory of 10,000 recorded requests",
    files: ["test/webhook/attach-killed.test.ts", "test/webhook/many-recordings.test.ts"],
    seeded: true,
  },
  exec: {
    about: "a program beside an emulator, ended by every signal",
    files: ["test/acceptance/emulator-exec.test.ts"],
  },
  files: {
    about: "every file of contacts, through the built command and through HTTP",
    files: ["test/acceptance/built-import.test.ts", "test/acceptance/import.test.ts"],
  },
  script: {
    about: "one script offline and at a running service, by the built command",
    files: ["test/acceptance/script.test.ts"],
  },
  server: {
    about:
      "a server under load makes no error, one that is killed keeps what it acknowledged, and no second one opens its file",
    files: [
      "test/emulator/load.test.ts",
      "test/emulator/killed-server.test.ts",
      "test/emulator/sharing.test.ts",
      "test/emulator/file.test.ts",
    ],
  },
  attacks: {
    about: "bodies of 1 MiB that were made to keep the emulator busy, and connections that say nothing",
    files: ["test/emulator/attacks.test.ts", "test/emulator/server.test.ts"],
  },
  sockets: {
    about: "every test of an interface over a socket, too; npm test has what the wire adds",
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
    about: "processes that share one key's limit, and a thousand writes under it after each number by others",
    files: [
      "test/acceptance/shared-limit.test.ts",
      "test/client/emulator.test.ts",
      "test/client/limits.test.ts",
    ],
  },
  model: {
    about: "random sequences of requests, against models of the documents",
    files: [
      "test/model/model.test.ts",
      "test/emulator/distributor/life-cycle.test.ts",
      "test/emulator/public/paging.test.ts",
    ],
    seeded: true,
  },
  fuzz: {
    about: "random and nearly valid requests at every operation",
    files: ["test/fuzz/fuzz.test.ts", "test/emulator/rule-header.test.ts"],
    seeded: true,
  },
  resource: {
    about: "a resource that is added by the checklist passes all checks and the tests of every layer",
    files: ["test/project/adding-a-resource.test.ts"],
  },
  spreadsheets: {
    about: "spreadsheets that are made to take memory or time, at full size",
    files: ["test/bulk/spreadsheet-limits.test.ts"],
  },
  histories: {
    about: "many connections at once, judged by what they recorded",
    files: ["test/emulator/histories.test.ts"],
  },
  statistics: {
    about: "usage of a week in a file of 1,000,000 calls",
    files: ["test/emulator/statistics-at-size.test.ts"],
  },
  clock: {
    about: "many small advances of the clock and one large one",
    files: ["test/emulator/clock-steps.test.ts"],
  },
  conformance: {
    about:
      "the main jobs against every conforming deployment, by the built command; writes docs/conformance.md",
    script: ["--import", "tsx", "test/conformance/run.ts", "--write"],
  },
  "conformance-clock": {
    about:
      "the same on the test's clock, combined at random, with faults and kills, killed at each step; the pace",
    files: [
      "test/conformance/matrix.test.ts",
      "test/conformance/combinations.test.ts",
      "test/conformance/kills.test.ts",
      "test/conformance/pace.test.ts",
    ],
    seeded: true,
  },
  "wrong-clocks": {
    about: "imports of an hour under random wrong clocks keep their pace and meet few refusals",
    files: ["test/client/wrong-clocks.test.ts"],
    seeded: true,
  },
  hanging: {
    about: "every command against peers that never come to an end, and Ctrl-C",
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
  mutants: {
    about: "every rule broken once: some test that names it fails",
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
 * The parts that were named, all without names. The beginning of a name is enough: `node` is every version.
 * @throws Error for an unknown name
 */
export function chosenParts(names: readonly string[]): [name: string, part: Part][] {
  const all = Object.entries(parts);
  for (const name of names) {
    if (!all.some(([part]) => part.startsWith(name)))
      throw new Error(`there is no part "${name}"; there are ${Object.keys(parts).join(", ")}`);
  }
  return all.filter(([part]) => names.length === 0 || names.some((name) => part.startsWith(name)));
}
