import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { commandLine, connectedTo, type TestIo } from "./cli.js";
import { readLog } from "./log.js";
import { formatPlan } from "./plan.js";
import { openSeededEmulator } from "./templates.js";

export async function setUpApply(
  people = 3,
  { http = false, ...options }: { http?: boolean; limits?: Record<string, number> } = {},
) {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual", ...options });
  onTestFinished(() => emulator.close());
  const server = http ? await emulator.listen({ port: 0 }) : undefined;
  onTestFinished(() => server?.close());
  const { keys } = emulator.startLine;
  const base_url = server === undefined ? emulator.startLine.base_url : `${server.url}/api/v1`;
  const shell = commandLine(
    http
      ? { env: { VOXCTL_BASE_URL: base_url, VOXCTL_API_KEY: keys.admin } }
      : { overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } },
  );
  const json = async (...argv: string[]) => (await shell.run(...argv, "-o", "json")).json;
  const group: string = (await json("groups", "create", "--type", "contacts", "--name", "Kunden")).id;
  const contacts: Record<string, unknown>[] = [];
  for (let index = 0; index < people; index += 1) {
    const names = ["--first-name", `Anna${index}`, "--last-name", "Weiß"];
    contacts.push(await json("contacts", "create", "--group", group, ...names));
  }
  const ids = contacts.map(({ id }) => String(id));
  const seal = (steps: readonly object[], header: Record<string, unknown> = {}, name = "kunden.plan") => {
    const numbered: object[] = [];
    for (const step of steps) {
      const number = numbered.filter((numberedStep) => "step" in numberedStep).length + 1;
      numbered.push("members" in step ? step : { step: number, undo: "full", ...step });
    }
    const text = formatPlan({
      header: {
        target: { base_url, anchors: [group] },
        made_at: new Date().toISOString(),
        ...header,
      },
      steps: numbered,
    });
    writeFileSync(join(shell.home, name), text);
  };
  const apply = (...flags: string[]) => shell.run("apply", "kunden.plan", "--yes", "-o", "json", ...flags);
  /** Applies the plan and sends Ctrl-C at the second group of requests. */
  const interrupt = () => {
    let io: TestIo | undefined;
    let seen = 0;
    const onJournalStep = (step: string) => {
      if (step === "sent") seen += 1;
      if (step === "sent" && seen === 2) io?.signal("SIGINT");
    };
    const options = {
      before: (given: TestIo) => {
        io = given;
      },
      overrides: { ...connectedTo(emulator), onJournalStep },
    };
    return shell.runWith(options, "apply", "kunden.plan", "--yes", "-o", "json");
  };
  const requests = async (method?: string) => {
    const all = await readLog(emulator);
    return all.filter((request) => method === undefined || request.method === method);
  };
  const writes = async () => (await requests()).filter(({ method }) => method !== "GET");
  const list = async (resource = "contacts") => json(resource, "list", "--all");
  const rename = (id: string, expected = "Weiß", last_name = "Weiss") => ({
    op: "contacts.update",
    path: { contact_id: id },
    body: { last_name },
    if: { fields: { last_name: expected } },
  });
  const create = (first_name: string, more: object = {}) => ({
    op: "contacts.create",
    body: { group_id: group, first_name },
    if: { absent: { in: `contacts?group_id=${group}` }, exists: [`groups/${group}`] },
    ...more,
  });
  const fault = (body: object) => emulator.control("POST", "/faults", body);
  const noFaults = () => emulator.control("DELETE", "/faults");
  const base = { ...shell, emulator, json, group, contacts, ids, seal, apply, requests, writes, list };
  return { ...base, interrupt, rename, create, fault, noFaults };
}
