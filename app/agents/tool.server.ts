import type { z } from "zod";
import type { Shelf, Visitor } from "#app/http/visit.ts";
import type { TokenScope } from "#domain/access-token.ts";
import type { Refusal } from "#domain/refusal.ts";

/** One thing an agent may do: what it is called, what it takes, what a token needs for it, and the verb behind it. */
export type AgentCall<Input> = { shelf: Shelf; user: Visitor["user"]; input: Input };

type Row<Input extends z.ZodType> = {
  name: string;
  title: string;
  description: string;
  scope: TokenScope;
  input: Input;
  answer(call: AgentCall<z.output<Input>>): Promise<object | Refusal>;
};

// biome-ignore lint/suspicious/noExplicitAny: a table of tools forgets each tool's own types; its schema is checked before it is called
export type AgentTool = Row<any>;

export function agentTool<Input extends z.ZodType>(row: Row<Input>): AgentTool {
  return row;
}
