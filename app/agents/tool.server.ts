import type { z } from "zod";
import type { WebServices } from "#app/web/request-context.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import type { News } from "#db/reminders/push/push-events.server.ts";
import type { Refusal } from "#domain/refusal.ts";

type AgentCall<Input> = {
  services: WebServices;
  signedIn: SignedIn;
  user: SignedIn["user"];
  signal: AbortSignal;
  input: Input;
};

type Row<Input extends z.ZodType, Answer extends object> = {
  name: string;
  title: string;
  description: string;
  input: Input;
  answer(call: AgentCall<z.output<Input>>): Promise<Answer | Refusal>;
} & (
  | { scope: "read" }
  // `tells` returns what the person's devices are notified of, or null if nothing changed. `replaces`: the previous state is not stored.
  // `saves`: the store counts it as a saved file.
  | { scope: "write"; replaces?: true; saves?: true; tells(answer: Answer): News | null }
);

// biome-ignore lint/suspicious/noExplicitAny: a table of tools forgets each tool's own types; its schema is checked before it is called
export type AgentTool = Row<any, any>;

export function agentTool<Input extends z.ZodType, Answer extends object>(
  row: Row<Input, Answer>,
): AgentTool {
  return row;
}
