import { seededBytes } from "../../base/random.js";

/** Samples per second, as in telephone audio. */
export const sampleRate = 8_000;
/** Length of a melody, in seconds. The melody repeats until the call ends. */
export const melodySeconds = 8;

const notes = [262, 294, 330, 392, 440, 524, 588, 660];
const amplitude = 6_000;
/** Length of the note within each second, in samples. The rest of the second is silent. */
const soundingSamples = 6_400;

/**
 * Returns a call's melody: for each second, a frequency in Hz, or null for a pause. The melody depends only
 * on the call's ID.
 */
export function buildMelody(callId: string): (number | null)[] {
  const bytes = seededBytes(melodySeconds, 0, "melody", callId);
  return Array.from(bytes, (byte, second) =>
    second > 0 && byte < 64 ? null : (notes[byte % notes.length] ?? null),
  );
}

/** Cache of the samples for one second of each note. */
const sounds = new Map<number | null, Int16Array>();

/** Returns the samples for one second of a note or pause. */
export function soundOf(frequency: number | null): Int16Array {
  const known = sounds.get(frequency);
  if (known) return known;
  const samples = new Int16Array(sampleRate);
  for (let index = 0; frequency !== null && index < soundingSamples; index += 1) {
    // Fade in and out to avoid clicks.
    const loudness = amplitude * Math.sin((Math.PI * index) / soundingSamples);
    const phase = (2 * Math.PI * frequency * index) / sampleRate;
    samples[index] = Math.round(loudness * Math.sin(phase));
  }
  sounds.set(frequency, samples);
  return samples;
}

export function samplesOf(melody: readonly (number | null)[]): Int16Array {
  const samples = new Int16Array(melody.length * sampleRate);
  melody.forEach((frequency, second) => {
    samples.set(soundOf(frequency), second * sampleRate);
  });
  return samples;
}

export function littleEndian(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, index) => {
    view.setInt16(index * 2, sample, true);
  });
  return bytes;
}
