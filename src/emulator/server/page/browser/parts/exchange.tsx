import { indentJson } from "../format.js";
import { type Row, rowOf, text } from "../rows.js";
import { Box, Facts, Status } from "./basics.js";

export function Exchange({ exchange }: { exchange: Row }) {
  const request = rowOf(exchange["request"]);
  const received = exchange["response"];
  const response = rowOf(received);
  const error = text(exchange, "error");
  return (
    <>
      <p>
        <strong>{text(request, "method")}</strong> <span class="break">{text(request, "url")}</span>{" "}
        {received ? <Status status={Number(response["status"])} /> : null}
      </p>
      {error === "" ? null : <p class="bad">{error}: the placeholders were left empty.</p>}
      <Headers of={rowOf(request["headers"])} label="Request headers" />
      <Box label="Request to the webhook">{indentJson(text(request, "body"))}</Box>
      {received ? (
        <>
          <Headers of={rowOf(response["headers"])} label="Response headers" />
          <Box label="Response from the webhook">{indentJson(text(response, "body"))}</Box>
        </>
      ) : null}
    </>
  );
}

export function Headers({ of, label, open = false }: { of: Row; label: string; open?: boolean }) {
  const names = Object.keys(of);
  if (names.length === 0) return null;
  return (
    <details open={open}>
      <summary>
        {label} ({names.length})
      </summary>
      <Facts
        of={names.map(
          (name) =>
            [
              name,
              <span key={name} class="break">
                {text(of, name)}
              </span>,
            ] as const,
        )}
      />
    </details>
  );
}
