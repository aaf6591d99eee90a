import { type Request, type RequestHandler, type Response, Router } from "express";
import { toClientNetwork } from "#app/web/door/client-network.ts";
import { isLocalRequest } from "#app/web/door/local-request.ts";
import type { RateCounter } from "#app/web/door/rate-limit.ts";
import type { Readiness } from "#app/web/health/readiness.ts";
import { isSameText } from "#app/web/session/signed-value.ts";
import { Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { coalesceCalls } from "#platform/coalesce-calls.ts";

type Options = {
  rateCounter: RateCounter;
  requestsPerMinute: number;
  metrics: () => Promise<string>;
  metricsToken: string | undefined;
  readiness: () => Promise<Readiness>;
};

/** Answers operators and their tools: is the process up, may it get traffic, and how is it doing. */
export function createHealthRouter({
  rateCounter,
  requestsPerMinute,
  metrics,
  metricsToken,
  readiness,
}: Options): RequestHandler {
  const router = Router();
  const readMetrics = coalesceCalls(metrics);
  router.get("/healthz", (_req, res) => void res.json({ ok: true }));
  router.get("/readyz", async (req, res) => {
    const retry_after = rateCounter.wait(`readiness ${toClientNetwork(req.ip)}`, requestsPerMinute);
    if (retry_after !== null) return refuseWithRetryAfter(retry_after, res);
    const state = await readiness();
    res.status(state.ok ? 200 : 503).json(state);
  });
  router.get("/metrics", async (req, res) => {
    if (!mayReadMetrics(req, metricsToken))
      return void res.status(404).json(refusalBody(Refusal("not_found")));
    res.type("text/plain; version=0.0.4").send(await readMetrics("all"));
  });
  return router;
}

function refuseWithRetryAfter(retry_after: number, res: Response): void {
  const refusal = Refusal("rate_limit_exceeded", { retry_after });
  res.setHeader("Retry-After", String(retry_after));
  res.status(refusalStatus(refusal)).json(refusalBody(refusal));
}

/** With a token configured, the request must carry it. Without one, only this machine may ask, by its own name and without a proxy. */
function mayReadMetrics(req: Request, token: string | undefined): boolean {
  if (token !== undefined) return isSameText(req.get("Authorization") ?? "", `Bearer ${token}`);
  return isLocalRequest(req);
}
