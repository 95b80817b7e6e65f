/** Writes contacts as vCard 3.0, because all address books can read this version. */

type Ical = typeof import("ical.js").default;

export interface CardContact {
  id: string;
  first_name: string;
  last_name: string;
  phone_numbers: readonly string[];
  emails: readonly string[];
}

const product = "-//voxctl//contacts export//EN";

export async function createCardWriter(): Promise<(contact: CardContact) => string> {
  const { default: ical } = await import("ical.js");
  return ({ id, first_name, last_name, phone_numbers, emails }) => {
    const line = (name: string, type: string, value: string | readonly string[]) =>
      formatProperty(ical, name, type, value);
    return toLines([
      "BEGIN:VCARD",
      "VERSION:3.0",
      `PRODID:${product}`,
      line("uid", "text", id),
      line("fn", "text", `${first_name} ${last_name}`.trim()),
      line("n", "text", [last_name, first_name, "", "", ""]),
      ...phone_numbers.map((number) => line("tel", "phone-number", number)),
      ...emails.map((email) => line("email", "text", email)),
      "END:VCARD",
    ]);
  };
}

/** @param errorProperty property that receives the reason for a rejection */
export async function createRejectedCardWriter(
  errorProperty: string,
): Promise<(raw: string, error: string) => string> {
  const { default: ical } = await import("ical.js");
  return (raw, error) => {
    const reason = formatProperty(ical, errorProperty.toLowerCase(), "unknown", error.replaceAll("\n", " "));
    const lines = withoutProperty(raw.trimEnd().split("\n"), errorProperty);
    if (!/^\s*BEGIN\s*:/i.test(lines[0] ?? ""))
      return toLines([
        "BEGIN:VCARD",
        "VERSION:3.0",
        formatProperty(ical, "note", "text", raw),
        reason,
        "END:VCARD",
      ]);
    const last = lines.at(-1) ?? "";
    const hasEnd = /^\s*END\s*:/i.test(last);
    // Don't complete a truncated card: an import must refuse it again unless it is corrected.
    return toLines([...(hasEnd ? lines.slice(0, -1) : lines), reason, ...(hasEnd ? [last] : [])]);
  };
}

function withoutProperty(lines: readonly string[], name: string): string[] {
  let isRemoved = false;
  return lines.filter((line) => {
    isRemoved = /^[ \t]/.test(line) ? isRemoved : line.toUpperCase().startsWith(`${name}:`);
    return !isRemoved;
  });
}

function formatProperty(ical: Ical, name: string, type: string, value: string | readonly string[]): string {
  const clean = (text: string) => text.replace(/\r\n?/g, "\n");
  const written = typeof value === "string" ? clean(value) : value.map(clean);
  return ical.stringify.property([name, {}, type, written], ical.design.vcard3, false);
}

function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join("");
}
