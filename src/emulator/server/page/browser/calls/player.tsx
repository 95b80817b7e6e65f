import { useEffect, useRef, useState } from "preact/hooks";
import type { ApiResponse } from "../api.js";
import { useApp } from "../context.js";
import { formatClockTime } from "../format.js";
import { getMessage } from "../live.js";
import { Button } from "../parts/basics.js";
import { Refused } from "../parts/rule.js";
import { number, type Row, text } from "../rows.js";
import { readLoudness } from "./waveform.js";

interface Recording {
  url: string;
  type: string;
  bytes: number;
  loudness: readonly number[];
  seconds: number;
}

const barWidth = 4;
const height = 64;

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

  useEffect(() => {
    if (!recording) return;
    // The player has replaced the button that had the focus, so move the focus to the player.
    if (document.activeElement === document.body) audio.current?.focus();
    return () => URL.revokeObjectURL(recording.url);
  }, [recording]);
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
      const drawn = await readLoudness(blob).catch((error: unknown) => {
        throw new Error(`The browser can't decode this recording: ${getMessage(error)}`);
      });
      setRecording({ url: URL.createObjectURL(blob), type: blob.type, bytes: blob.size, ...drawn });
    });
  const erase = async () => {
    const text = "The audio will be deleted permanently. The call, transcript and analyses will be kept.";
    if (!(await confirm({ title: "Erase recording?", text, action: "Erase", isDestructive: true }))) return;
    await attempt(async () => {
      const response = await api.send("DELETE", path);
      setRefusal(response.ok ? undefined : response);
      if (response.ok) setRecording(undefined);
    });
  };

  if (!recording) {
    return (
      <>
        <div class="row">
          <Button variant="primary" act={load}>
            Load recording
          </Button>
          <Button variant="quiet destructive" act={erase}>
            Erase…
          </Button>
        </div>
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
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript next to the player replaces captions */}
      <audio ref={audio} controls src={recording.url} onTimeUpdate={move} onSeeked={move} />
      <p class="faint row">
        {recording.type}, {Math.ceil(recording.bytes / 1024).toLocaleString("en")} kB,{" "}
        {formatClockTime(recording.seconds)}
        <Button variant="quiet destructive" act={erase}>
          Erase…
        </Button>
      </p>
      {refusal ? <Refused response={refusal} /> : null}
    </>
  );
}

function Waveform(props: {
  recording: Recording;
  utterances: readonly Row[];
  position: number;
  seek: (seconds: number) => void;
}) {
  const { loudness, seconds } = props.recording;
  const paths = new Map<string, string>();
  loudness.forEach((value, index) => {
    const at = (index / loudness.length) * seconds;
    const speaker = props.utterances.findLast((utterance) => number(utterance, "offset_seconds") <= at);
    const role = speaker && text(speaker, "role") === "user" ? "caller" : "assistant";
    const name = at <= props.position ? `${role} played` : role;
    const size = Math.max(1, value * (height / 2 - 4));
    const bar = `M${(index + 0.5) * barWidth} ${height / 2 - size}v${2 * size}`;
    paths.set(name, (paths.get(name) ?? "") + bar);
  });
  return (
    <>
      <svg
        class="waveform"
        viewBox={`0 0 ${loudness.length * barWidth} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          props.seek(((event.clientX - box.left) / box.width) * seconds);
        }}
      >
        {[...paths].map(([name, path]) => (
          <path key={name} class={name} d={path} vector-effect="non-scaling-stroke" />
        ))}
      </svg>
      <p class="row" aria-hidden="true">
        <small class="accent">▮ assistant</small> <small class="warning">▮ user</small>
      </p>
    </>
  );
}
