import { ExactNumber } from "./exact-json.js";

const text = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * Finds a name that occurs twice in a JSON object. The parser uses the last value, but a user may notice only
 * the first.
 * @param json valid JSON text
 * @param value its parsed value
 */
export function findRepeatedKey(json: string, value: unknown): string | undefined {
  let written = 0;
  for (const [, colon] of json.matchAll(text)) if (colon !== undefined) written += 1;
  return written === countKeys(value) ? undefined : findFirstRepeated(json);
}

function countKeys(value: unknown): number {
  let count = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null || next instanceof ExactNumber) continue;
    const members: unknown[] = Object.values(next);
    if (!Array.isArray(next)) count += members.length;
    for (const member of members) waiting.push(member);
  }
  return count;
}

function findFirstRepeated(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) {
      const key = String(JSON.parse(token.slice(0, -colon.length)));
      if (open.at(-1)?.has(key) === true) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}
