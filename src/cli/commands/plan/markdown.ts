import { counted, escapeControl } from "../../../base/text.js";
import type { ShownStep } from "../../../bulk/plan/sorted.js";
import { changedFields, markOf, nameOf } from "./changes.js";

/** Comments on pull requests take about so much. */
const characterLimit = 60_000;

/** A plan as Markdown, each resource folded; what exceeds a comment's size is counted. */
export async function markdownOf(
  lines: readonly string[],
  steps: AsyncIterable<ShownStep>,
  { limit, unmasked }: { limit: number; unmasked: boolean },
): Promise<string> {
  const [title = "", ...rest] = lines;
  let text = `### ${escapeMarkdown(title)}\n\n${rest.map((line) => `- ${escapeMarkdown(line)}\n`).join("")}`;
  let resource: string | undefined;
  let shown = 0;
  let left = 0;
  const closed = () => (resource === undefined ? "" : "```\n\n</details>\n");
  for await (const step of steps) {
    const fields = changedFields(step, { unmasked }).map((line) => `    ${escapeControl(line)}\n`);
    const opening =
      step.resource === resource
        ? ""
        : `${closed()}\n<details><summary>${step.resource}</summary>\n\n\`\`\`diff\n`;
    const entry = `${opening}${fenced(`${markOf(step)} ${escapeControl(nameOf(step))}\n${fields.join("")}`)}`;
    if (shown >= limit || text.length + entry.length > characterLimit) {
      left += 1;
      continue;
    }
    text += entry;
    resource = step.resource;
    shown += 1;
  }
  const more = left > 0 ? `\n… ${counted(left, "more change")}: \`voxctl plan show PLAN --diff full\`\n` : "";
  return `${text}${closed()}${more}`;
}

/** A text of others must not end the block that it stands in. */
function fenced(text: string): string {
  return text.replaceAll("```", "``\u200b`");
}

function escapeMarkdown(text: string): string {
  return escapeControl(text).replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
}
