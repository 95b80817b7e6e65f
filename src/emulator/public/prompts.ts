import { seededDraw } from "../../base/random.js";
import type { Prompt, prompts } from "../../contract/public/prompts.js";
import type { Handlers, PublicContext } from "../context.js";
import { isoTime } from "../kernel/clock.js";
import { ColumnTable } from "../kernel/column-table.js";
import { conflict, notFound } from "../refusal.js";

/** Delay between a save and the rating (D-prompt). */
export const ratingMilliseconds = 2_000;

type StoredPrompt = Omit<Prompt, "rating"> & { rating_asked_at: number | null };

const table = new ColumnTable<StoredPrompt>("prompts", "the prompt", {
  name: "text",
  kind: "text",
  text: "text",
  rating_asked_at: "number",
});

/**
 * Computes a prompt's rating. The score depends only on the text and the emulator's random seed (D-prompt).
 */
function computeRating(context: PublicContext, prompt: StoredPrompt): Prompt["rating"] {
  if (prompt.rating_asked_at === null) return null;
  const ratedAt = prompt.rating_asked_at + ratingMilliseconds;
  if (context.now < ratedAt) return { state: "pending", score: null, rated_at: null };
  const score = Math.floor(seededDraw(context.state.randomSeed, "prompt rating", prompt.text) * 101);
  return { state: "rated", score, rated_at: isoTime(ratedAt) };
}

function toPrompt(context: PublicContext, prompt: StoredPrompt): Prompt {
  const { id, name, kind, text, created_at, updated_at } = prompt;
  return { id, name, kind, text, rating: computeRating(context, prompt), created_at, updated_at };
}

/**
 * Every save requests a new rating, because the old rating is for the previous text (public.prompt.rating).
 */
function requestRating(context: PublicContext): number | null {
  return context.organization.features.has("prompt_rating") ? context.now : null; // D-rating-off
}

// Refuses to delete a prompt to which a `prompt_id` refers. A reference in `email_prompt_id` is allowed
// (public.operations.3a, 3b).
function refuseAssigned(context: PublicContext, prompt: StoredPrompt): void {
  const assistant = context.database
    // public.operations.3b
    .prepare("SELECT name FROM assistants WHERE prompt_id = ? AND organization_id = ? LIMIT 1")
    .get(prompt.id, context.organization.id);
  if (assistant) {
    throw conflict(
      "public.operations.3a",
      `the prompt "${prompt.name}" is assigned to the assistant "${String(assistant["name"])}"`,
    );
  }
}

/**
 * @throws Refusal not_found if the prompt is missing, belongs to another organization or is of a different
 * kind (D-prompt, D-head)
 */
export function requirePrompt(context: PublicContext, id: string, kind: Prompt["kind"]): void {
  const prompt = table.find(context, id);
  if (prompt && (prompt.kind === kind || context.state.mirror.isOff("D-prompt"))) return;
  throw notFound(`the prompt ${id} of kind ${kind}`, prompt ? "D-prompt" : "public.assistant.refs");
}

export const promptHandlers: Handlers<typeof prompts> = {
  "prompts.list": (context, { query }) => {
    const page = table.page(context, query);
    return { ...page, rows: page.rows.map((prompt) => toPrompt(context, prompt)) };
  },

  "prompts.create": (context, { body }) =>
    toPrompt(context, table.insert(context, { ...body, rating_asked_at: requestRating(context) })),

  "prompts.get": (context, { path }) => toPrompt(context, table.require(context, path.prompt_id)),

  "prompts.update": (context, { path, body }) => {
    const prompt = table.require(context, path.prompt_id);
    // An empty PATCH saves nothing (D-body).
    if (Object.keys(body).length === 0) return toPrompt(context, prompt);
    const changes = { ...body, rating_asked_at: requestRating(context) };
    return toPrompt(context, table.update(context, prompt.id, changes));
  },

  "prompts.delete": (context, { path }) => {
    const prompt = table.require(context, path.prompt_id);
    refuseAssigned(context, prompt);
    table.delete(context, prompt.id);
  },
};
