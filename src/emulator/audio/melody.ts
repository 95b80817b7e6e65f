import { seededBytes } from "../../base/random.js";

/** Samples per second, as in telephone audio. */
export const sampleRate = 8_000;
/** The melody repeats until the call ends. */
export const melodySeconds = 8;

const notes = [262, 294, 330, 392, 440, 524, 588, 660];
const amplitude = 6_000;
/** In samples; the rest of each second is silent. */
const soundingSamples = 6_400;

/** Returns a frequency in Hz for each second, or null for a pause; depends only on the call's ID. */
export function buildMelody(callId: string): (number | null)[] {
  const bytes = seededBytes(melodySeconds, 0, "melody", callId);
  return Array.from(bytes, (byte, second) =>
    second > 0 && byte < 64 ? null : (notes[byte % notes.length] ?? null),
  );
}

const sounds = new Map<number | null, Int16Array>();

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
