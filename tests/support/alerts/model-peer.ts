/** A model's HTTP API in the process of the test: it records requests and returns the test's answers. */
import type { ServerResponse } from "node:http";
import { serve } from "#tests/support/serve.ts";

export const modelReply = (text: string) => JSON.stringify({ content: [{ type: "text", text }] });

export async function openModelPeer() {
  const sent: string[] = [];
  const keys: unknown[] = [];
  const peer = { sent, keys, answer: (response: ServerResponse) => void response.end(modelReply("Fine.")) };
  const url = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    sent.push(Buffer.concat(chunks).toString());
    keys.push(request.headers["x-api-key"]);
    peer.answer(response);
  });
  const variables = {
    AI_API_URL: `${url}/v1/messages`,
    AI_API_KEY: "the key",
    AI_MODEL: "model-1",
    AI_ALLOW_LOOPBACK: "1",
  };
  return Object.assign(peer, { variables });
}
