import { join, resolve } from "node:path";
import { hasCode } from "../../../base/error-code.js";
import { getText, isFields } from "../../../base/fields.js";
import { withoutDeviceName } from "../../../base/file-names.js";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import { formatCount } from "../../../base/text.js";
import { assertWholeExport } from "../../bulk/export-options.js";
import { fileExistsError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { groupOf } from "../../session/references/group.js";
import { resolveReference } from "../../session/references/references.js";

export const exportKnowledge: Command = {
  name: "export",
  summary: "Export knowledge items to a directory of Markdown files",
  description:
    "Writes one file per item, named after the item. `voxctl knowledge import` can read the directory.",
  arguments: [{ name: "directory", description: "Output directory; created if it doesn't exist" }],
  flags: [
    { name: "group", value: "name|id", description: "Export only items in this group" },
    { name: "force", description: "Overwrite existing files" },
  ],
  examples: [{ command: "voxctl knowledge export ./wissen --group Praxiswissen" }],
  async run(session, input) {
    const { writeDocument } = await import("../../../features/import/index.js");
    assertWholeExport(session, "knowledge list --all");
    const folder = resolve(session.io.cwd, input.arguments[0] ?? "");
    const force = input.on("force") === true;
    const named = input.text("group");
    const { client } = await session.connect();
    const groupId =
      named === undefined
        ? undefined
        : await resolveReference(client, groupOf("knowledges"), named, "--group", session);
    await makePrivateFolder(folder);
    const query = groupId === undefined ? {} : { group_id: groupId };
    const taken = new Set<string>();
    const call = { signal: session.signal };
    for await (const listed of client.items(
      "knowledge.list",
      { query },
      { ...call, pageSize: 200, complete: true },
    )) {
      if (!isFields(listed) || (groupId !== undefined && listed["group_id"] !== groupId)) continue;
      // Only `get` returns the text (public.knowledge.text).
      const path = { knowledge_item_id: getText(listed, "id") };
      const { data } = await client.call("knowledge.get", { path }, call);
      const item = isFields(data) ? data : listed;
      const fileName = findFreeName(formatFileName(getText(item, "name")), taken);
      const file = join(folder, `${fileName}.md`);
      const active = item["active"] === false ? false : undefined;
      const document = { name: getText(item, "name"), text: getText(item, "text"), active };
      const text = await writeDocument(document, fileName);
      await writePrivateFile(file, text, { replace: force }).catch((cause: unknown) => {
        if (hasCode(cause, "EEXIST")) throw fileExistsError(file);
        throw cause;
      });
    }
    await session.output.item({ folder, items: taken.size });
    session.notes.note(`Exported ${formatCount(taken.size, "knowledge item")} to ${input.arguments[0]}`);
  },
};

function formatFileName(name: string): string {
  const safe = name.replace(/[\u0000-\u001f\u007f-\u009f<>:"/\\|?*]/g, "_").replace(/^[. ]+|[. ]+$/g, "");
  const short = [...safe].slice(0, 60).join("").trim();
  // The shortened name can end with a dot or space.
  const file = short.replace(/[. ]+$/, "");
  return file === "" ? "_" : withoutDeviceName(file);
}

/** Ignores case, as some file systems do. */
function findFreeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${name} (${count})`;
  taken.add(free.toLowerCase());
  return free;
}
