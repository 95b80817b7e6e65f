import { isFields } from "../../base/fields.js";
import { at, authOf, has, hasCredential, webhookOf, webhookPatch } from "./evidence.js";
import type { Rules } from "./rule.js";

export const publicWebhookRules: Rules = {
  "public.operations.7a": {
    text: "A PATCH without `pre_call_webhook` keeps the webhook.",
    seen: webhookPatch((seen) => !has(seen.request, "pre_call_webhook")),
  },
  "public.operations.7b": {
    text: "A PATCH with `pre_call_webhook: null` removes the webhook and its credentials.",
    seen: webhookPatch((seen) => webhookOf(seen) === null),
  },
  "public.operations.7c": {
    text: "A PATCH with a webhook object requires `enabled`, and also `url` if the webhook is enabled; omitted fields keep their values.",
    refusedAs: ["public.webhook.enabled", "public.webhook.url"],
    seen: webhookPatch((seen) => isFields(webhookOf(seen))),
    atOnce: true,
  },
  "public.operations.7d": {
    text: "A header map in a webhook PATCH replaces all headers; null clears them.",
    seen: webhookPatch((seen) => has(webhookOf(seen), "headers")),
  },
  "public.operations.7e": {
    text: "A webhook PATCH without `auth` keeps the stored auth; `auth: null` removes it.",
    seen: webhookPatch(
      (seen) => isFields(webhookOf(seen)) && (authOf(seen) === undefined || authOf(seen) === null),
    ),
  },
  "public.operations.7f": {
    text: "A webhook PATCH with the same auth type but no secret keeps the stored secret.",
    seen: webhookPatch(
      (seen) => isFields(authOf(seen)) && !hasCredential(authOf(seen)) && at(authOf(seen), "type") !== "none",
    ),
  },
  "public.operations.7g": {
    text: "If a webhook PATCH changes the auth type, the old auth fields are dropped, and a new credential is required unless the new type is `none`. If the credential is missing, the response is 400.",
    refuses: true,
    seen: webhookPatch((seen) => isFields(authOf(seen)) && hasCredential(authOf(seen))),
  },
  "public.operations.7h": {
    text: "Disabling a webhook keeps its credentials.",
    seen: webhookPatch((seen) => at(webhookOf(seen), "enabled") === false),
  },
  "public.operations.7i": {
    text: "Changing the webhook of an enterprise assistant returns 409.",
    refuses: true,
  },
  "public.operations.7j": {
    text: "If another request clears the webhook or changes its auth at the same moment, the PATCH returns 409 and is not applied.",
    refuses: true,
    atOnce: true,
  },
  "public.operations.7k": {
    text: "A webhook object from a GET, which contains no credentials, can be sent in a PATCH unchanged.",
    seen: webhookPatch(
      (seen) =>
        (has(authOf(seen), "has_secret") || has(authOf(seen), "has_password")) &&
        !hasCredential(authOf(seen)),
    ),
  },
};
