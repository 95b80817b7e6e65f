import fc from "fast-check";

/** Sends a request to the Public API; the path is relative to its base path. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Ask = (method: string, path: string, body?: unknown) => Promise<{ data: any }>;

/** One random request. The numbers select one of the organization's resources. */
export interface Action {
  resource: number;
  verb: number;
  itemIndex: number;
  text: string;
}

export const randomWrite = fc.record<Action>({
  resource: fc.nat(8),
  verb: fc.nat(3),
  itemIndex: fc.nat(1_000),
  text: fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ""),
});

export async function applyRandomWrite(ask: Ask, { resource, verb, itemIndex, text }: Action): Promise<void> {
  const [name = "", type, bodyOf = () => ({})] =
    (
      [
        [
          "contacts",
          "contacts",
          () => ({ first_name: text, phone_numbers: [`+4915100${10_000 + itemIndex}`] }),
        ],
        [
          "groups",
          undefined,
          () => ({ type: ["contacts", "glossaries", "knowledges"][itemIndex % 3], name: text }),
        ],
        ["prompts", undefined, () => ({ name: text, kind: "answering", text })],
        ["knowledge-items", "knowledges", () => ({ name: text, text, active: itemIndex % 2 === 0 })],
        [
          "forwardings",
          "forwardings",
          () => ({ name: text, destination_type: "phone", phone_number: "+4930111111", timeout: 20 }),
        ],
        ["glossary", "glossaries", () => ({ term: text, definition: text })],
        ["pronunciation", "pronunciations", () => ({ token: text, replacement: text })],
        [
          "tools",
          undefined,
          () => ({
            name: `t${itemIndex}`,
            description: text,
            url: "https://t.example.com/",
            method: "POST",
            headers: { a: text },
            parameters: {},
            secret: text,
          }),
        ],
        ["assistants", undefined, () => ({ introduction: text })],
      ] satisfies [string, string | undefined, () => object][]
    )[resource] ?? [];
  const { data: all } = await ask("GET", `/${name}?limit=200`);
  const item = Array.isArray(all) && all.length > 0 ? all[itemIndex % all.length] : undefined;
  const groups = type && (await ask("GET", `/groups?type=${type}`)).data;
  const body = { ...bodyOf(), ...(groups ? { group_id: groups[itemIndex % groups.length].id } : {}) };
  if (verb === 0) await ask("POST", `/${name}`, body);
  else if (verb === 3 && item) await ask("DELETE", `/${name}/${item.id}`);
  else if (item) {
    const [first = [], ...otherFields] = Object.entries(body).filter(
      ([field]) => !["type", "kind"].includes(field),
    );
    await ask(
      "PATCH",
      `/${name}/${item.id}`,
      Object.fromEntries(verb === 1 ? [first] : [first, ...otherFields]),
    );
  }
}
