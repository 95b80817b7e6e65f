import { isFields } from "../../base/fields.js";
import { done, has, isPublic, knowledgeSaves, refusedBy, succeeded, webhookOf } from "./evidence.js";
import type { Rules } from "./rule.js";

/** API rules about endpoints, groups, knowledge, prompts and assistants. */
export const publicOperationRules: Rules = {
  "public.endpoints.ping": {
    text: "GET /ping returns `ok` and `now`; it never returns 403.",
    seen: done("ping"),
  },
  "public.endpoints.crud": {
    text: "Every documented path and method exists. A successful create returns 201; every other success returns 200.",
    seen: (seen) => isPublic(seen) && succeeded(seen),
  },
  "public.endpoints.voices": {
    text: "GET /voices returns a plain array without paging or `meta`.",
    seen: done("voices.list"),
  },
  "public.endpoints.filters": {
    text: "Lists of items can be filtered by group_id, groups by type, and calls by assistant_id, assistant_phone, created_from and created_to.",
    seen: (seen) =>
      isPublic(seen) &&
      succeeded(seen) &&
      seen.method === "GET" &&
      [...seen.query.keys()].some((name) =>
        /^(group_id|type|assistant_id|assistant_phone|created_)/.test(name),
      ),
  },
  "public.endpoints.delete": {
    text: "A successful DELETE returns 200 with the empty success response.",
    seen: (seen) => isPublic(seen) && succeeded(seen) && seen.method === "DELETE",
  },
  "public.operations.1a": { text: "Deleting a group deletes every item in it.", seen: done("groups.delete") },
  "public.operations.1b": {
    text: "Deleting a group that is assigned to an assistant returns 409.",
    refuses: true,
  },
  "public.operations.1c": {
    text: "Deleting the last group of a type returns 409.",
    refuses: true,
    atOnce: true,
  },
  "public.operations.2": {
    text: "Creating or patching a knowledge item starts its indexing.",
    seen: done(knowledgeSaves),
  },
  "public.operations.3a": {
    text: "Deleting a prompt that an assistant's `prompt_id` refers to returns 409.",
    refuses: true,
  },
  "public.operations.3b":
    "A prompt can be deleted while an assistant's `email_prompt_id` refers to it, because that field is not checked.",
  "public.operations.4a": {
    text: "A new assistant gets a phone number.",
    seen: done("assistants.create"),
  },
  "public.operations.4b": {
    text: "The references of a new assistant are checked before anything is saved.",
    refusedAs: ["public.assistant.refs"],
    seen: refusedBy("public.assistant.refs", "assistants.create"),
  },
  "public.operations.4c": {
    text: "The webhook of a new assistant is validated, and its credentials are encrypted when they are stored. Saving a webhook does not call it.",
    refusedAs: ["public.operations.7g"],
    seen: done("assistants.create", (seen) => isFields(webhookOf(seen))),
  },
  "public.operations.5": {
    text: "A PATCH of an assistant changes only the fields that it contains.",
    seen: done("assistants.update"),
    atOnce: true,
  },
  "public.operations.6a": {
    text: "A new introduction applies to calls that start later; calls in progress keep the previous one.",
    seen: done("assistants.update", (seen) => has(seen.request, "introduction")),
  },
  "public.operations.6b": {
    text: "If an enterprise profile manages the greeting of an assistant's line, setting the introduction returns 409.",
    refuses: true,
  },
};
