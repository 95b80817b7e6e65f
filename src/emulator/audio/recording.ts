import type { RecordingFormat } from "../../contract/public/calls.js";
import type { AudioFile } from "./audio.js";
import { encodeFlac } from "./flac.js";
import { buildMelody, samplesOf } from "./melody.js";
import { encodeMpeg } from "./mpeg.js";
import { encodeWav } from "./wav.js";

/** public.operations.13b */
export const contentTypes: Readonly<Record<RecordingFormat, string>> = {
  flac: "audio/flac",
  wav: "audio/wav",
  mpeg: "audio/mpeg",
};

/** Increase this number whenever the code generates different audio for the same call. */
const version = 1;

export interface Recording extends AudioFile {
  contentType: string;
  etag: string;
}

/** Generates a call's audio from the call's ID. The audio lasts as long as the call (D-recording). */
export function buildRecording(callId: string, format: RecordingFormat, seconds: number): Recording {
  const melody = buildMelody(callId);
  const file =
    format === "mpeg"
      ? encodeMpeg(melody, seconds)
      : format === "wav"
        ? encodeWav(samplesOf(melody), seconds)
        : encodeFlac(melody, seconds);
  return {
    length: file.length,
    slice: file.slice,
    contentType: contentTypes[format],
    etag: `"${callId}-${format}-${seconds}-${version}"`,
  };
}
