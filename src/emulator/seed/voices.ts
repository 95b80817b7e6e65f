import type { EmulatorState } from "../emulator-state.js";

interface SeededVoice {
  name: string;
  languages: readonly string[];
  gender: "female" | "male" | "neutral";
  generation: "v1" | "v2";
  selectable: boolean;
}

/** The platform's voices, including legacy and reserved voices (D-voice). */
const seededVoices: readonly SeededVoice[] = [
  { name: "Clara", languages: ["de", "en"], gender: "female", generation: "v2", selectable: true },
  { name: "Moritz", languages: ["de", "en"], gender: "male", generation: "v2", selectable: true },
  { name: "Noa", languages: ["de", "en", "fr"], gender: "neutral", generation: "v2", selectable: true },
  { name: "Juliette", languages: ["fr"], gender: "female", generation: "v2", selectable: true },
  { name: "Hanna", languages: ["de"], gender: "female", generation: "v1", selectable: true },
  { name: "Oliver", languages: ["en"], gender: "male", generation: "v1", selectable: true },
  { name: "Gisela (legacy)", languages: ["de"], gender: "female", generation: "v1", selectable: false },
  {
    name: "Line 1 (reserved)",
    languages: ["de", "en"],
    gender: "neutral",
    generation: "v2",
    selectable: false,
  },
];

export function plantVoices(state: EmulatorState): void {
  const now = state.clock.now();
  const insert = state.database.prepare(
    "INSERT INTO voices (id, name, languages, gender, generation, selectable, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  for (const voice of seededVoices) {
    insert.run(
      state.ids.next(),
      voice.name,
      JSON.stringify(voice.languages),
      voice.gender,
      voice.generation,
      voice.selectable ? 1 : 0,
      now,
      now,
    );
  }
}
