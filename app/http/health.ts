import { type Request, type RequestHandler, Router } from "express";
import type { Readiness } from "#app/http/readiness.ts";
import { sameText } from "#app/http/sealed.ts";
import { Refusal, refusalBody } from "#domain/refusal.ts";

type Options = {
  metrics: () => Promise<string>;
  metricsToken: string | undefined;
  readiness: () => Promise<Readiness>;
};

/** What operators and their tools ask: is the process up, may it get traffic, and how is it doing. */
export function health({ metrics, metricsToken, readiness }: Options): RequestHandler {
  const router = Router();
  router.get("/healthz", (_req, res) => void res.json({ ok: true }));
  router.get("/readyz", async (_req, res) => {
    const state = await readiness();
    res.status(state.ok ? 200 : 503).json(state);
  });
  router.get("/metrics", async (req, res) => {
    if (!mayReadMetrics(req, metricsToken))
      return void res.status(404).json(refusalBody(Refusal("not_found")));
    res.type("text/plain; version=0.0.4").send(await metrics());
  });
  return router;
}

/** With a token, who knows it; without one, only this machine, and no proxy in between. */
function mayReadMetrics(req: Request, token: string | undefined): boolean {
  if (token !== undefined) return sameText(req.get("Authorization") ?? "", `Bearer ${token}`);
  const forwarded = req.get("X-Forwarded-For") !== undefined || req.get("Forwarded") !== undefined;
  return !forwarded && /^(::1|(::ffff:)?127\.)/.test(req.socket.remoteAddress ?? "");
}
