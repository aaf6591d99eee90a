import { Strategy } from "remix-auth/strategy";
import type { UsedPasskey } from "#app/http/session/passkeys/passkey-answer.server.ts";
import type { StoredPasskey } from "#db/accounts/documents.ts";
import type { User } from "#db/accounts/users.server.ts";
import type { PasskeySite } from "#domain/accounts/passkey.ts";
import { Refusal } from "#domain/refusal.ts";

/** A passkey that signed our challenge, and how often it was used by then. */
export type VerifiedPasskey = { credentialId: string; counter: number; userHandle: string };

type Options = {
  site: PasskeySite;
  answer: UsedPasskey;
  isChallenge: (received: string) => boolean;
  findPasskey: (credentialId: string) => Promise<StoredPasskey | null>;
  /** Called with what is wrong with a refused answer. */
  onError: (error: unknown) => void;
};

/** Whoever holds a passkey, once its signature over our challenge is checked: for this site, by a person whom their device knew. */
export class PasskeyStrategy extends Strategy<User | Refusal, VerifiedPasskey> {
  name = "passkey";
  readonly #options: Options;

  constructor(options: Options, verify: Strategy.VerifyFunction<User | Refusal, VerifiedPasskey>) {
    super(verify);
    this.#options = options;
  }

  async authenticate(): Promise<User | Refusal> {
    const { answer, findPasskey } = this.#options;
    const passkey = await findPasskey(answer.id);
    if (!passkey) return Refusal("passkey_unknown");
    const verified = await this.#check(passkey);
    return verified ? this.verify(verified) : Refusal("passkey_failed");
  }

  async #check({ public_key, counter }: StoredPasskey): Promise<VerifiedPasskey | null> {
    const { site, answer, isChallenge, onError } = this.#options;
    // Loaded where somebody signs in by it, and nowhere else.
    const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
    const checked = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: isChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      credential: { id: answer.id, publicKey: Buffer.from(public_key, "base64url"), counter },
      requireUserVerification: true,
    }).catch((error: unknown) => {
      onError(error);
      return null;
    });
    if (!checked?.verified) return null;
    const { newCounter } = checked.authenticationInfo;
    return { credentialId: answer.id, counter: newCounter, userHandle: answer.response.userHandle };
  }
}
