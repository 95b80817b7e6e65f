import { type Fields, getText, isFields } from "../../../base/fields.js";
import { ClientError } from "../../../client/errors.js";
import type { Client } from "../../../client/types.js";
import { pronunciation as operations } from "../../../contract/public/pronunciation.js";
import type { Noun } from "../../derive/noun.js";
import { operationCommand } from "../../derive/resource.js";
import type { Output } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";

type Name = "pronunciation.list" | "pronunciation.create";

/** Returns a command that also warns about pronunciation rules that a voice ignores. */
export function checkedCommand(name: Name, pronunciation: Noun): Command {
  const derived = operationCommand(name, operations[name], pronunciation);
  return {
    ...derived,
    async run(session, input) {
      const rules: Fields[] = [];
      const output = observeOutput(session.output, (row) => {
        if (isFields(row) && typeof row["id"] === "string" && needsVersion2(row)) rules.push(row);
      });
      await derived.run({ ...session, output }, input);
      if (rules.length > 0) await warnAboutRules(session, rules);
    },
  };
}

/** Voices of version 1 ignore speaking rates and IPA (Public API, pronunciation items). */
function needsVersion2(rule: Fields): boolean {
  return typeof rule["speaking_rate"] === "number" || getText(rule, "ipa") !== "";
}

function observeOutput(output: Output, see: (row: unknown) => void): Output {
  async function* seen(rows: AsyncIterable<unknown> | Iterable<unknown>) {
    for await (const row of rows) {
      see(row);
      yield row;
    }
  }
  return {
    format: output.format,
    text: (text) => output.text(text),
    lines: (lines) => output.lines(lines),
    document: (text) => output.document(text),
    json: (pieces) => output.json(pieces),
    item: (value, view) => {
      see(value);
      return output.item(value, view);
    },
    list: (rows, view) => output.list(seen(rows), view),
  };
}

async function warnAboutRules(session: Session, rules: readonly Fields[]): Promise<void> {
  const { client } = await session.connect();
  let assistants: Map<string, string[]>;
  try {
    assistants = await listVersion1Assistants(client, session.signal);
  } catch (error) {
    // The command has already printed its result, so a key that can't read assistants must not make it fail.
    if (!(error instanceof ClientError)) throw error;
    session.notes.debug(`the assistants' voices were not checked: ${error.message}`);
    return;
  }
  for (const rule of rules) {
    const names = assistants.get(getText(rule, "group_id")) ?? [];
    if (names.length === 0) continue;
    const ignored = [
      ...(typeof rule["speaking_rate"] === "number" ? ["speaking rate"] : []),
      ...(getText(rule, "ipa") === "" ? [] : ["IPA"]),
    ].join(" and ");
    const who = names.map((name) => `"${name}"`).join(", ");
    session.notes.warn(`"${getText(rule, "token")}": the v1 voice of ${who} ignores the rule's ${ignored}`);
  }
}

async function listVersion1Assistants(client: Client, signal: AbortSignal): Promise<Map<string, string[]>> {
  const generations = new Map<string, string>();
  for await (const voice of client.items("voices.list", {}, { signal })) {
    if (isFields(voice)) generations.set(getText(voice, "id"), getText(voice, "generation"));
  }
  const byGroup = new Map<string, string[]>();
  for await (const assistant of client.items("assistants.list", {}, { signal })) {
    // Don't warn about a voice that is missing from the list, because its version is unknown.
    if (!isFields(assistant) || generations.get(getText(assistant, "voice_id")) !== "v1") continue;
    const groups: unknown = assistant["pronunciation_group_ids"];
    for (const group of Array.isArray(groups) ? groups : []) {
      if (typeof group !== "string") continue;
      byGroup.set(group, [...(byGroup.get(group) ?? []), getText(assistant, "name")]);
    }
  }
  return byGroup;
}
