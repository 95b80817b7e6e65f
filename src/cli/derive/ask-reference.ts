import { describeAccepted, type Referable, readAll } from "../session/references/references.js";
import type { Session } from "../session/session.js";

/** With more choices, the user types a name instead. */
const mostChoices = 1_000;

export interface Reply {
  value: unknown;
  /** The flag's values in the command that voxctl prints at the end: names instead of IDs. */
  words: readonly string[];
}

/** @param usual the profile's default: a name or an ID */
export async function askReference(
  reference: Referable,
  message: string,
  session: Session,
  usual?: string,
): Promise<{ value: string; words: [string] }> {
  const known = await listKnown(reference, session);
  if (known.length > 0 && known.length <= mostChoices) {
    const isUsual = ({ id, name }: Known) => id === usual || name === usual;
    const first = known.filter(isUsual);
    const choices = toChoices([...first, ...known.filter((candidate) => !isUsual(candidate))]);
    const value = await session.prompts.choose({
      message,
      choices,
      search: true,
      isFirstDefault: first.length === 1,
    });
    return { value, words: [toCommandWord(value, known)] };
  }
  const value = await session.prompts.text({
    message: `${message} (${describeAccepted(reference)})`,
    required: true,
  });
  return { value, words: [value] };
}

export async function askReferences(
  reference: Referable,
  message: string,
  session: Session,
): Promise<Reply | undefined> {
  const known = await listKnown(reference, session);
  const ids: string[] = [];
  while (ids.length < known.length) {
    const left = known.filter(({ id }) => !ids.includes(id));
    const id = await session.prompts.choose<string | undefined>({
      message: ids.length === 0 ? message : `${message} another?`,
      choices: [{ name: "no more", value: undefined }, ...toChoices(left)],
      search: true,
    });
    if (id === undefined) break;
    ids.push(id);
  }
  return ids.length === 0 ? undefined : { value: ids, words: ids.map((id) => toCommandWord(id, known)) };
}

interface Known {
  id: string;
  name: string;
}

async function listKnown(reference: Referable, session: Session): Promise<Known[]> {
  // Use the connection that `askFor` opened, with write access if required.
  const { client } = await session.connect();
  const known: Known[] = [];
  for await (const { id, name } of readAll(client, reference, session)) {
    known.push({ id, name });
    if (known.length > mostChoices) break;
  }
  return known;
}

function toChoices(known: readonly Known[]): { name: string; value: string; description?: string }[] {
  const seen = new Set<string>();
  const ambiguous = new Set<string>();
  for (const { name } of known) (seen.has(name) ? ambiguous : seen).add(name);
  return known.map(({ id, name }) => ({
    name,
    value: id,
    ...(ambiguous.has(name) ? { description: id } : {}),
  }));
}

function toCommandWord(id: string, known: readonly Known[]): string {
  const name = known.find((candidate) => candidate.id === id)?.name;
  return name === undefined || known.filter((candidate) => candidate.name === name).length > 1 ? id : name;
}
