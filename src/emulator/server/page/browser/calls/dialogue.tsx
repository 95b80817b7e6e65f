import { formatClockTime } from "../format.js";
import { number, type Row, text } from "../rows.js";

export function Dialogue(props: {
  utterances: readonly Row[];
  isOver: boolean;
  /** Playback position, in seconds. */
  position: number;
  seek: ((seconds: number) => void) | undefined;
}) {
  const { utterances, position, seek } = props;
  if (utterances.length === 0)
    return <p class="faint">{props.isOver ? "No transcript." : "No transcript yet."}</p>;
  const current =
    position === 0
      ? -1
      : utterances.findLastIndex((utterance) => number(utterance, "offset_seconds") <= position);
  return (
    // Screen readers announce new utterances while the call is in progress.
    <ol class="dialogue field" aria-live={props.isOver ? "off" : "polite"}>
      {utterances.map((utterance, index) => {
        const at = number(utterance, "offset_seconds");
        const role = text(utterance, "role");
        return (
          <li
            key={`${at} ${index}`}
            class={role === "assistant" ? "assistant" : "caller"}
            aria-current={index === current ? "true" : undefined}
          >
            <p class="who">
              <strong>{role}</strong>{" "}
              {seek ? (
                <button
                  type="button"
                  class="link"
                  aria-label={`Play from ${formatClockTime(at)}`}
                  onClick={() => seek(at)}
                >
                  {formatClockTime(at)}
                </button>
              ) : (
                <span>{formatClockTime(at)}</span>
              )}
            </p>
            <p>{text(utterance, "text")}</p>
          </li>
        );
      })}
    </ol>
  );
}
