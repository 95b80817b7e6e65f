import { isFields } from "../../../base/fields.js";
import { readShape } from "../../../features/emulate/commands/webhook-shape.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";

/** The emulator's request body for an incoming call. The service's body is not documented. */
const assumed: Readonly<Record<string, readonly string[]>> = {
  call_id: ["string"],
  assistant_id: ["string"],
  // For a withheld number, `from` is null. For an assistant without a number, `to` is null.
  from: ["string", "null"],
  to: ["string", "null"],
};

/**
 * Compares recorded webhook requests with those of the emulator.
 * @returns an empty list without `--webhook-shape`
 * @throws usage error (2) if the file can't be read or is not a shape file
 */
export async function checkWebhook(session: Session, input: Input) {
  const file = input.text("webhook-shape");
  if (file === undefined) return [];
  const differences = compareShape(await readShape(session, file, "--webhook-shape"));
  const texts = differences.map(({ field, assumed, recorded }) =>
    recorded === null
      ? `${field} is missing`
      : assumed === null
        ? `${field} (${recorded}) is also sent`
        : `${field} is ${recorded}, not ${assumed}`,
  );
  const isAsAssumed = differences.length === 0;
  return [
    {
      check: "webhook",
      state: isAsAssumed ? ("ok" as const) : ("warning" as const),
      message: isAsAssumed
        ? `the requests in ${file} match the emulator's webhook requests`
        : `the requests in ${file} differ from the emulator's: ${texts.join("; ")}. To send such requests from the emulator, use --webhook-shape ${file}`,
      details: differences.map((difference) => ({ ...difference })),
    },
  ];
}

interface Difference {
  field: string;
  /** Null if the field is unknown. */
  assumed: string | null;
  recorded: string | null;
}

function compareShape(shape: Readonly<Record<string, unknown>>): Difference[] {
  const properties = isFields(shape["properties"]) ? shape["properties"] : {};
  const required = Array.isArray(shape["required"]) ? shape["required"] : [];
  const recordedOf = (field: string) => {
    const property = properties[field];
    const types = isFields(property) ? [property["type"]].flat().map(String) : [];
    return required.includes(field) ? types : [...types, "missing"];
  };
  return [...new Set([...Object.keys(assumed), ...Object.keys(properties)])].flatMap((field) => {
    const known = assumed[field];
    const recordedTypes = Object.hasOwn(properties, field) ? recordedOf(field) : undefined;
    if (known && recordedTypes?.every((type) => known.includes(type))) return [];
    return [{ field, assumed: known?.join(" or ") ?? null, recorded: recordedTypes?.join(" or ") ?? null }];
  });
}
