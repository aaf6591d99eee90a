/** The parts of `oidc-provider` that tests use; it ships no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export type JWK = Record<string, unknown>;
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };
  type KoaContext = {
    oidc: {
      session?: { accountId?: string };
      provider: { Grant: new (of: { clientId: string; accountId?: string }) => Grant };
    };
  };
  type Configuration = {
    clients: object[];
    jwks: { keys: JWK[] };
    claims: Record<string, string[]>;
    scopes: string[];
    features: object;
    cookies: { keys: string[] };
    interactions: { url(context: KoaContext, interaction: { uid: string }): string };
    findAccount(context: KoaContext, sub: string): { accountId: string; claims(): object };
    loadExistingGrant(context: KoaContext): Promise<Grant>;
  };

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
