import { useEffect, useRef, useState } from "preact/hooks";
import type { ApiResponse } from "../api.js";
import { useApp } from "../context.js";
import { formatClockTime } from "../format.js";
import { getMessage } from "../live.js";
import { Button } from "../parts/basics.js";
import { Refused } from "../parts/rule.js";
import { number, type Row, text } from "../rows.js";
import { peaksOf } from "./waveform.js";

interface Recording {
  url: string;
  type: string;
  bytes: number;
  peaks: readonly number[];
  seconds: number;
}

const barWidth = 3;
const height = 64;

/** The recording of a call from the API, with player and waveform. */
export function Player(props: {
  id: string;
  utterances: readonly Row[];
  seek: { to: number } | undefined;
  moved: (seconds: number) => void;
}) {
  const { api, attempt, confirm, notify } = useApp();
  const [recording, setRecording] = useState<Recording | undefined>(undefined);
  const [refusal, setRefusal] = useState<ApiResponse | undefined>(undefined);
  const [position, setPosition] = useState(0);
  const audio = useRef<HTMLAudioElement>(null);
  const path = `/api/v1/calls/${encodeURIComponent(props.id)}/recording`;

  useEffect(() => () => void (recording && URL.revokeObjectURL(recording.url)), [recording]);
  useEffect(() => {
    if (!props.seek) return;
    if (audio.current) {
      audio.current.currentTime = props.seek.to;
      void audio.current.play().catch(() => {});
    } else notify("To play from a position, load the recording first.");
  }, [props.seek]);

  const load = () =>
    attempt(async () => {
      setRefusal(undefined);
      const { response, blob } = await api.bytes(path);
      if (!blob) {
        setRefusal(response);
        return;
      }
      const drawn = await peaksOf(blob).catch((error: unknown) => {
        throw new Error(`The browser can't decode this recording: ${getMessage(error)}`);
      });
      setRecording({ url: URL.createObjectURL(blob), type: blob.type, bytes: blob.size, ...drawn });
    });
  const erase = async () => {
    const text = "The audio will be deleted permanently. The call, transcript and analyses will be kept.";
    if (!(await confirm({ title: "Erase recording?", text, action: "Erase" }))) return;
    await attempt(async () => {
      const response = await api.send("DELETE", path);
      setRefusal(response.ok ? undefined : response);
      if (response.ok) setRecording(undefined);
    });
  };

  if (!recording) {
    return (
      <>
        <Button variant="main" act={load}>
          Load recording
        </Button>{" "}
        <Button act={erase}>Erase…</Button>
        {refusal ? <Refused response={refusal} /> : null}
      </>
    );
  }
  const move = () => {
    const seconds = audio.current?.currentTime ?? 0;
    setPosition(seconds);
    props.moved(seconds);
  };
  return (
    <>
      <Waveform
        recording={recording}
        utterances={props.utterances}
        position={position}
        seek={(to) => {
          if (audio.current) audio.current.currentTime = to;
        }}
      />
      {/* biome-ignore lint/a11y/useMediaCaption: the dialogue next to the player is its text */}
      <audio ref={audio} controls src={recording.url} onTimeUpdate={move} onSeeked={move} />
      <p class="kind">
        {recording.type}, {Math.ceil(recording.bytes / 1024).toLocaleString("en")} kB,{" "}
        {formatClockTime(recording.seconds)} <Button act={erase}>Erase…</Button>
      </p>
      {refusal ? <Refused response={refusal} /> : null}
    </>
  );
}

/** The waveform with the speakers below it. Clicking it plays from that position, as with the player's slider. */
function Waveform(props: {
  recording: Recording;
  utterances: readonly Row[];
  position: number;
  seek: (seconds: number) => void;
}) {
  const { peaks, seconds } = props.recording;
  const width = peaks.length * barWidth;
  const at = (offset: number) => (offset / Math.max(1, seconds)) * width;
  const path = peaks
    .map((peak, index) => {
      const size = Math.max(1, peak * (height / 2 - 2));
      return `M${index * barWidth + 1} ${height / 2 - size}V${height / 2 + size}`;
    })
    .join("");
  return (
    <svg
      class="waveform"
      viewBox={`0 0 ${width} ${height + 8}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        props.seek(((event.clientX - box.left) / box.width) * seconds);
      }}
    >
      <rect class="played" x="0" y="0" width={at(props.position)} height={height} />
      <path d={path} />
      {props.utterances.map((utterance, index) => {
        const from = at(number(utterance, "offset_seconds"));
        const next = props.utterances[index + 1];
        const to = next ? at(number(next, "offset_seconds")) : width;
        return (
          <rect
            key={from}
            class={text(utterance, "role") === "assistant" ? "assistant" : "caller"}
            x={from}
            y={height + 2}
            width={Math.max(1, to - from - 2)}
            height="6"
          />
        );
      })}
    </svg>
  );
}
