import { z } from "zod";
import { CREDENTIAL_ID } from "#domain/accounts/passkey.ts";
import { parseJsonOrNull } from "#domain/parse-json.ts";
import { Refusal } from "#domain/refusal.ts";

/** Parses what a browser sends for a new or used passkey: `toJSON()` of the credential. Fields that nobody reads are left out. */
const text = z.string().max(100_000);
const credential = {
  id: z.string().regex(CREDENTIAL_ID),
  rawId: z.string().regex(CREDENTIAL_ID),
  type: z.literal("public-key"),
};

const usedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text,
  }),
});
export type UsedPasskey = z.output<typeof usedPasskey>;

const newPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
export type NewPasskey = z.output<typeof newPasskey>;

export const readUsedPasskey = (sent: string) => readAnswer(sent, usedPasskey);
export const readNewPasskey = (sent: string) => readAnswer(sent, newPasskey);

function readAnswer<Answer>(sent: string, schema: z.ZodType<Answer>): Answer | Refusal {
  return schema.safeParse(parseJsonOrNull(sent)).data ?? Refusal("passkey_failed");
}

/** Reads the challenge that the browser claims was signed; the signature is checked elsewhere. */
export function readClientChallenge({ response }: UsedPasskey | NewPasskey): string {
  const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
  return String(challenge);
}
