import { createHmac } from "node:crypto";
import { z } from "zod";
import { endpoint } from "#app/web/api/api.server.ts";
import { count, ok } from "#app/web/api/shapes.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { isSameText } from "#app/web/session/signed-value.ts";
import { requestSync } from "#db/repos/repo-sync.server.ts";
import { listReposByUrl } from "#db/repos/repos.server.ts";
import { claimDelivery, releaseDelivery } from "#db/repos/webhook-deliveries.server.ts";
import { parseJsonOrNull } from "#domain/parse-json.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { repoKey } from "#domain/repos/repo.ts";
import { pushEvent } from "#domain/repos/repo-schema.ts";
import { checkBySchema } from "#domain/schema.ts";

const BODY_MAX_BYTES = 5 * 1024 * 1024;
const DELIVERY = /^[\w-]{1,100}$/;

export const codehostWebhookEndpoints = [
  endpoint({
    method: "POST",
    path: "/api/webhooks/codehost",
    gate: "public",
    summary: "Receive a push webhook from the code host",
    body: { rawMaxBytes: BODY_MAX_BYTES, json: pushEvent },
    refuses: ["invalid_webhook_signature", "webhook_not_configured"],
    returns: { 200: z.object({ ok, repos: count, duplicate: z.boolean() }) },
    answer: async ({ request, services, body }) => {
      const { db, env, clock } = services;
      const { webhookSecret } = env.codehost;
      if (!webhookSecret) return Refusal("webhook_not_configured");
      const expectedSignature = `sha256=${createHmac("sha256", webhookSecret).update(body).digest("hex")}`;
      if (!isSameText(request.headers.get("X-Hub-Signature-256") ?? "", expectedSignature))
        return Refusal("invalid_webhook_signature");
      const delivery = request.headers.get("X-GitHub-Delivery") ?? "";
      if (!DELIVERY.test(delivery))
        return Refusal("invalid_payload", { message: "Send a delivery id.", field: "X-GitHub-Delivery" });
      if (request.headers.get("X-GitHub-Event") !== "push") return { ok: true, repos: 0, duplicate: false };
      const event = checkBySchema(pushEvent, parseJsonOrNull(Buffer.from(body).toString("utf8")));
      if (isRefusal(event)) return event;
      if (!(await claimDelivery(db, delivery, clock()))) return { ok: true, repos: 0, duplicate: true };
      const repos = await syncAll(services, repoKey(event.repository.clone_url), delivery);
      return { ok: true, repos, duplicate: false };
    },
  }),
];

/** Queues a sync for each matching mirror. After a fault the delivery is released, so that the host may send the event again. */
async function syncAll({ db, queue, clock }: WebServices, key: string, delivery: string): Promise<number> {
  try {
    const repos = await listReposByUrl(db, key);
    for (const { _id, user_id, sync_run_id } of repos)
      await requestSync(db, queue, { id: _id.toHexString(), user_id, sync_run_id }, "manual", clock());
    return repos.length;
  } catch (error) {
    await releaseDelivery(db, delivery);
    throw error;
  }
}
