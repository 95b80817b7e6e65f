import type { RecordingFormat } from "../../contract/public/calls.js";
import type { AudioFile } from "./audio.js";
import { flacFile } from "./flac.js";
import { melodyOf, samplesOf } from "./melody.js";
import { mpegFile } from "./mpeg.js";
import { wavFile } from "./wav.js";

/** public.operations.13b */
export const contentTypes: Readonly<Record<RecordingFormat, string>> = {
  flac: "audio/flac",
  wav: "audio/wav",
  mpeg: "audio/mpeg",
};

/** Raised whenever other bytes come out for the same call. */
const version = 1;

export interface Recording extends AudioFile {
  contentType: string;
  /** A strong validator: other bytes, other tag. */
  etag: string;
}

/** D-recording: the audio of a call, made from its id alone, as long as the call. */
export function recordingOf(callId: string, format: RecordingFormat, seconds: number): Recording {
  const melody = melodyOf(callId);
  const file =
    format === "mpeg"
      ? mpegFile(melody, seconds)
      : format === "wav"
        ? wavFile(samplesOf(melody), seconds)
        : flacFile(melody, seconds);
  return {
    length: file.length,
    slice: file.slice,
    contentType: contentTypes[format],
    etag: `"${callId}-${format}-${seconds}-${version}"`,
  };
}
