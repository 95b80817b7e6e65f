/** Creates the voices that a seed uses and the emulator lacks, because seeds can't declare voices. */
import { isFields } from "../../../base/fields.js";
import type { Control } from "../../../client/control.js";
import type { ConfigObject } from "../folder/objects.js";

interface Voices {
  /** Resources with voice IDs of this emulator instead of voice IDs from other organizations. */
  objects: ReadonlyMap<string, ConfigObject>;
  made: readonly string[];
  /** Makes the voices unselectable again, if they were unselectable before. */
  restore(): Promise<void>;
}

/** Makes the voices of the resources selectable until `restore` is called. */
export async function offerVoices(
  control: Control,
  objects: ReadonlyMap<string, ConfigObject>,
): Promise<Voices> {
  const known = await control("voices.list");
  const made = new Map<string, string>();
  const closed = new Set<string>();
  const open = async (id: string, isOffered: boolean) => {
    if (isOffered) return;
    closed.add(id);
    await control("voices.update", { path: { id }, body: { selectable: true } });
  };
  const make = async (name: string) =>
    (await control("voices.create", { body: { name, generation: "v2" } })).id;
  const byName = async (name: string) => {
    const match =
      known.find((voice) => voice.name === name && voice.selectable) ??
      known.find((voice) => voice.name === name);
    if (match !== undefined) return open(match.id, match.selectable);
    if (!made.has(name)) made.set(name, await make(name));
  };
  /** Files use IDs mostly for unselectable voices, so `restore` makes a new voice unselectable. */
  const byId = async (id: string) => {
    const match = known.find((voice) => voice.id === id);
    if (match !== undefined) {
      await open(id, match.selectable);
      return id;
    }
    const own = made.get(id) ?? (await make(`Voice ${id}`));
    made.set(id, own);
    closed.add(own);
    return own;
  };
  const offered = new Map<string, ConfigObject>();
  for (const [key, object] of objects) {
    const voice = object.fields.get("voice");
    if (typeof voice === "string") await byName(voice);
    if (!isFields(voice)) offered.set(key, object);
    else {
      const id = await byId(String(voice["id"]));
      offered.set(key, { ...object, fields: new Map([...object.fields, ["voice", { id }]]) });
    }
  }
  return {
    objects: offered,
    made: [...made.keys()],
    async restore() {
      for (const id of closed) await control("voices.update", { path: { id }, body: { selectable: false } });
    },
  };
}
