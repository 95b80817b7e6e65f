import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog } from "../../src/cli/catalog.js";
import { commandTree } from "../../src/cli/command-tree.js";
import { leavesOf } from "../../src/cli/session/command-tree.js";
import { buildAddresses } from "../../src/contract/addresses.js";
import { openEmulator } from "../../src/emulator/index.js";
import { registerEmulator } from "../../src/features/emulate/registry.js";
import type { RunOptions, TestIo } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { bin, createInstalledCli } from "../helpers/installed-cli.js";
import { publicApi } from "../helpers/public-api.js";
import { configuredAssistant, exampleFiles } from "./example-files.js";
import { createDemoTemplate, createManualShell } from "./manual.js";
import { startReceiver, webhookFiles } from "./receiver.js";

const tree = await commandTree(catalog);
// Omits `store` and `fleet` commands. `store` needs PostgreSQL and runs in test/tools; `fleet` runs in
// guides.test.ts.
const commands = [tree, ...leavesOf(tree)].filter(
  ({ hidden, path }) => !hidden && !["store", "fleet"].includes(path[0] ?? ""),
);

let template: Awaited<ReturnType<typeof createDemoTemplate>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  template = await createDemoTemplate();
  receiver = await startReceiver();
});
afterAll(() => {
  template.remove();
  receiver.close();
});

/** In files of `webhook` and `doctor`, the receiver's URL replaces the URLs of the examples. */
const filesOf = (noun: string) =>
  noun === "webhook" || noun === "doctor"
    ? Object.fromEntries(
        Object.entries(webhookFiles).map(([name, text]) => [name, receiver.substituteUrls(text)]),
      )
    : exampleFiles[noun];

function linesBefore(line: string): string[] {
  if (/^voxctl (profiles (show|use|remove)|mcp --profile) acme/.test(line))
    return ["voxctl profiles add acme --offline"];
  if (line.startsWith("voxctl runs "))
    return ["voxctl contacts import kunden.csv --group Patienten --country DE"];
  if (line.startsWith("voxctl emulator snapshots import"))
    return [
      "voxctl emulator snapshots create before-import",
      "voxctl emulator snapshots export before-import praxis.json",
    ];
  if (/^voxctl emulator (snapshots (restore|export)|control snapshots.delete)/.test(line))
    return ["voxctl emulator snapshots create before-import"];
  if (line.endsWith("--profile rehearsal")) return ["voxctl profiles add rehearsal --offline"];
  if (line.startsWith("voxctl doctor --webhook-shape"))
    return ["voxctl webhook shape requests -o json > shape.json"];
  if (/^voxctl contacts (sync crm.csv|import .*--group Kunden(?!.*--create-group))/.test(line))
    return ["voxctl groups create --type contacts --name Kunden"];
  if (/^voxctl profiles (set|export) acme/.test(line)) return ["voxctl profiles add acme --offline"];
  if (line.startsWith("voxctl profiles import team.yaml"))
    return [
      "voxctl profiles add acme --offline",
      "voxctl profiles export > team.yaml",
      "voxctl profiles remove acme --yes",
    ];
  if (line.startsWith("voxctl alias delete")) return ['voxctl alias set kunden "contacts list"'];
  if (line.startsWith("voxctl open documentation"))
    return [
      "voxctl profiles add acme --url https://voice.example.com/api/v1 --key-env CRM_PASSWORD --no-check",
    ];
  if (line.startsWith("voxctl calls ") && line.includes("main.json"))
    return ["main.json", "today.json"].map(
      (file) => `voxctl calls test smoke.yaml --offline --record ${file}`,
    );
  if (/^voxctl emulator logs (--follow|\d)/.test(line)) return ["voxctl ping"];
  if (line.startsWith("voxctl glossary sync"))
    return ["voxctl groups create --type glossaries --name Praxis"];
  if (line.startsWith("voxctl pronunciation sync"))
    return ["voxctl groups create --type pronunciations --name Praxis"];
  if (/^voxctl (mirror (list|delete|refresh) acme|rehearse)|mirror acme$/.test(line))
    return ["voxctl mirror create acme"];
  if (line === "voxctl mirror create --profile acme") return ["voxctl profiles add acme --offline"];
  if (line.startsWith("voxctl mirror create acme --group Kunden"))
    return ["voxctl groups create --type contacts --name Kunden"];
  if (/^voxctl config adopt .*=$/.test(line)) return ["voxctl config apply --target prod --yes"];
  if (line.startsWith("voxctl config secrets confirm"))
    return ["voxctl config apply --target prod --yes --allow assistants:create"];
  if (line.startsWith("voxctl config init praxis")) return ["voxctl profiles add praxis --offline"];
  if (line.startsWith("voxctl config apply --target prod plan.jsonl"))
    return ["voxctl config plan --target prod --out plan.jsonl"];
  // A partner can be deleted only after its own organization.
  if (line.startsWith("voxctl partners delete"))
    return [
      'voxctl partners create --external-id neustadt-edv --name "Neustadt EDV"',
      "voxctl orgs delete neustadt-edv --yes",
    ];
  return [];
}

function exitOf(line: string): number {
  // A command that follows a log ends only with Ctrl-C.
  if (line.includes("--follow")) return 130;
  // The API can't erase calls, so the erasure stays incomplete.
  if (line.startsWith("voxctl subject erase")) return 68;
  // The demo data has lint findings, and lacks the resources of the configuration directory.
  return /^voxctl (lint|config diff --target prod$)/.test(line) ? 10 : 0;
}

/** Starts a service with a group for imports, for examples that don't use the offline emulator. */
async function deployment() {
  const emulator = await openEmulator({ seed: "demo" });
  const { url } = await emulator.listen({ port: 0 });
  await publicApi(emulator)("POST", "/groups", { type: "contacts", name: "Kunden" });
  const profile = `voxctl profiles add acme --url ${url}/api/v1 --key-env ACME_KEY`;
  return { profile, key: emulator.startLine.keys.admin, close: () => emulator.close() };
}

function interruptWhenStarted(io: TestIo): void {
  io.stdout.once("data", () => io.signal("SIGINT"));
}

const interruptAt = (text: string) => (io: TestIo) => {
  io.stderr.on("data", (chunk) => String(chunk).includes(text) && io.signal("SIGINT"));
};

function interruptedImport(): RunOptions {
  let io: TestIo | undefined;
  return {
    before: (given) => {
      io = given;
    },
    overrides: { onJournalStep: (step) => void (step === "recording" && io?.signal("SIGINT")) },
  };
}

/**
 * Returns whether to run an example. `npm test` runs about one example in thirty; `npm run proof -- examples`
 * and CI run all examples.
 */
function isTried(line: string): boolean {
  if (process.env["PROOF"]) return true;
  return [...line].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % 30 === 0;
}

describe.each(commands.map((command) => [command.path.join(" ") || "voxctl", command] as const))(
  "the help of voxctl %s",
  (_name, { examples, path, commands: below }) => {
    test("the help of each command contains an example", () => {
      expect(examples.length > 0 || below.length > 0).toBe(true);
    });

    const lines = examples.map(({ command }) => command);
    test.each(lines.filter(isTried).map((line) => [line]))(
      "the example in the help runs: %s",
      async (line) => {
        const deployed = line.startsWith("voxctl rehearse") ? await deployment() : undefined;
        const shell = createManualShell({
          template: template.folder,
          terminal: 120,
          files: {
            ...exampleFiles["contacts"],
            ...filesOf(path[0] ?? ""),
            ...(/^voxctl config .*assistants\/empfang$/.test(line) ? configuredAssistant : {}),
          },
          env: {
            BROWSER: "true",
            EDITOR: "true",
            CRM_PASSWORD: "p".repeat(20),
            TOOL_SECRET: "s",
            ACME_DISTRIBUTOR_KEY: "k",
            HOOK_SECRET: "s3cret-value",
            ACME_KEY: deployed?.key,
            ...inheritedEnvironment(),
          },
          externalPrograms: { "crm-export": "first_name,phone\nAnna,+493023181234\n" },
        });
        const resumes = line.startsWith("voxctl runs resume");
        for (const before of [...(deployed ? [deployed.profile] : []), ...linesBefore(line)]) {
          const ran = await shell.type(receiver.substituteUrls(before), resumes ? interruptedImport() : {});
          expect(ran.code, ran.stderr).toBe(resumes ? 130 : 0);
        }
        // The ID of a run depends on its file and emulator.
        const [run] = line.includes("2aa82de186e4")
          ? (await shell.run("runs", "list", "-o", "json")).json
          : [];
        // The ID of a resource depends on its emulator.
        const [prompt] = line.startsWith("voxctl config adopt")
          ? (await shell.run("prompts", "list", "--profile", "offline", "-o", "json")).json
          : [];
        const digest = line.includes('"$DIGEST"')
          ? (await shell.run("plan", "show", "kunden.plan", "-o", "json")).json.digest
          : "";
        const named = line
          .replace('"$DIGEST"', digest)
          .replace("2aa82de186e4", run?.id ?? "")
          .replace("65f1a0b2c3d4e5f601234567", prompt?.id ?? "65f1a0b2c3d4e5f601234567");
        // The example host doesn't exist, so the key can't be checked.
        const checked = line.includes("https://voice.example.com") ? `${named} --no-check` : named;
        // The example names a command of the reader's project, and the default port may be in use.
        const typed = checked
          .replace(/^voxctl emulator start(?!.*--port)/, "$& --port 0")
          .replace(
            /^(voxctl (?:emulator exec|rehearse) .*)-- (?!contacts import).*$/,
            `$1-- ${process.execPath} --version`,
          )
          // The rehearsed program is a separate process.
          .replace(/^(voxctl rehearse .*)-- (contacts import .*)$/, `$1-- ${process.execPath} ${bin} $2`);
        // These examples need a running server.
        const served =
          line.startsWith("voxctl open emulator") || /^voxctl emulator env|--from-emulator/.test(line)
            ? await openEmulator({ db: join(shell.data, "offline.db"), exclusive: true })
            : undefined;
        const server = await served?.listen({ port: 0 });
        const unregister =
          served && server
            ? await registerEmulator(
                { data: shell.data },
                { ...served.startLine, ...buildAddresses(server.url) },
              )
            : undefined;
        const receives = line.startsWith("voxctl webhook listen") && !line.includes("--max 1");
        const serves = /^voxctl (emulator start|rehearse --serve)/.test(line) || line.includes("--follow");
        const options = serves
          ? { before: interruptWhenStarted }
          : receives
            ? { before: interruptAt(line.includes("--attach") ? "until this command exits" : "listening on") }
            : {};
        // This command starts voxctl in separate processes, so the built command is necessary.
        const ran =
          line === "voxctl demo rehearse"
            ? await createInstalledCli().run(["demo", "rehearse"])
            : await shell.type(receiver.substituteUrls(typed), options);
        unregister?.();
        await served?.close();
        await deployed?.close();
        expect(ran.code, ran.stderr).toBe(exitOf(line));
      },
    );
  },
);
