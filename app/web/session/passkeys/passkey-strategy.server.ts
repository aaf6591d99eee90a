import { Strategy } from "remix-auth/strategy";
import type { UsedPasskey } from "#app/web/session/passkeys/passkey-answer.server.ts";
import type { StoredPasskey } from "#db/accounts/documents.ts";
import type { User } from "#db/accounts/users.server.ts";
import type { PasskeySite } from "#domain/accounts/passkey.ts";
import { Refusal } from "#domain/refusal.ts";

/** A passkey that signed our challenge, with its use counter. */
export type VerifiedPasskey = { credentialId: string; counter: number; userHandle: string };

type Options = {
  site: PasskeySite;
  answer: UsedPasskey;
  isChallenge: (received: string) => boolean;
  findPasskey: (credentialId: string) => Promise<StoredPasskey | null>;
  onError: (error: unknown) => void;
};

/** Authenticates the holder of a passkey by its signature over our challenge, for this site, with the person verified by the device. */
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
    // Loaded only when someone signs in with a passkey.
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
