import { MongoNetworkError } from "mongodb";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import type { Names } from "#tests/authorisation/belongings.ts";
import { callRow } from "#tests/authorisation/call-row.ts";
import { type Asking, OWNER_ID } from "#tests/authorisation/callers.ts";
import { API_ENTRIES, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import type { Entry } from "#tests/entries/entry.ts";
import { makeBreakable } from "#tests/faults/breakable.ts";
import { listWritings } from "#tests/support/private-words/marks.ts";
import { drawCases, isFullRun } from "#tests/support/test-runs/tier.ts";
import { isPage, type Scene } from "./scene.ts";

const FAULT_WORDS = "qzFault mongodb://qzuser:qzpassword@db.qz.example:27017/codeshelf";

/** Text of the owner, in every record that contains text. */
const MARK = "qz private words 47";
const WRITTEN = {
  files: { description: MARK, tags: [MARK] },
  notes: { content: MARK },
  boards: { name: MARK },
  users: { first_name: MARK, username: MARK, agent_instructions: MARK },
} as const;

async function mark({ web }: Scene): Promise<void> {
  const { files, notes, boards, users } = web.db;
  for (const [collection, fields] of [
    [files, WRITTEN.files],
    [notes, WRITTEN.notes],
    [boards, WRITTEN.boards],
  ] as const)
    await (collection as typeof files).updateMany({ user_id: OWNER_ID }, { $set: fields as object });
  await users.updateOne({ _id: OWNER_ID }, { $set: WRITTEN.users });
}

const OWN_WORDS = "what the owner wrote";
const listSecrets = ({ web, owner }: Scene): Record<string, string> => ({
  [OWN_WORDS]: MARK,
  "the owner's cookie": required(owner.cookies.get("__Host-session")),
  "the address of PostgreSQL": web.databaseUrl,
  "the address of the store": web.uri,
  "the words of the fault": "qzFault",
  "a password": "qzpassword",
  "the bot's token": required(web.env.messengerBotToken),
  "the session secret": web.env.sessionSecret,
  "a path of this machine": PROJECT_ROOT,
});
const STACK = /\n?\s+at (async )?[\w.<>[\] ]+ \(|node_modules|\.server\.ts|MongoNetworkError|node:internal/;

function leaks(secrets: Record<string, string>, body: string): string[] {
  const text = body.toLowerCase();
  return [
    ...Object.entries(secrets)
      .filter(([, secret]) => listWritings(secret).some((writing) => text.includes(writing.toLowerCase())))
      .map(([name]) => name),
    ...(STACK.test(body) ? ["a stack"] : []),
  ];
}

const ALL_ROWS = [...API_ENTRIES, ...PAGE_ENTRIES].filter(({ call }) => !call.endsWith("/logout"));
/** One place answers errors: the commit draws one row in six. */
const ROWS = drawCases("bodies of errors", ALL_ROWS, ALL_ROWS.length / 6);
const counts = { refused: 0, failed: 0 };

async function readBody(asking: Asking, row: Entry, names: Names) {
  try {
    const response = await callRow(asking, row, names, isPage(row));
    return { status: response.status, body: await response.text() };
  } catch {
    // An interrupted answer is cut off; its beginning was the owner's own.
    return { status: 0, body: "" };
  }
}

export function errorBodyClaims(scene: Scene): void {
  const { web, ask, made, makeNewAfter, entitled } = scene;
  const secrets = listSecrets(scene);
  const store = makeBreakable(web.db, { fault: () => new MongoNetworkError(FAULT_WORDS) });
  describe("an answer", () => {
    it.each(ROWS.map((row) => [row.call, row] as const))(
      "by %s to others, or in a fault, reveals nothing",
      async (_, row) => {
        const names = await made(row);
        await mark(scene);
        if (row.door !== "anyone")
          for (const caller of ["anonymous", "stranger", "admin"] as const) {
            const { status, body } = await readBody(ask[caller], row, names);
            // Administrators see everybody's names on their pages.
            if (status < 400 || caller === row.door) continue;
            counts.refused += 1;
            expect(leaks(secrets, body), caller).toEqual([]);
          }
        const caller = entitled(row);
        // The first call reads the session; the second one reads or writes the content.
        for (const nth of [1, 2]) {
          const { value } = await store.during(nth, () => readBody(caller, row, names));
          if (value.status < 500) continue;
          counts.failed += 1;
          // The frame around an error shows people their own name.
          const leaked = leaks(secrets, value.body).filter((name) => name !== OWN_WORDS);
          expect(leaked, `with fault ${nth}`).toEqual([]);
        }
        await makeNewAfter(row);
      },
    );

    it("was refused and failed often enough to tell", () => {
      expect(counts.refused).toBeGreaterThan(isFullRun ? 200 : 30);
      expect(counts.failed).toBeGreaterThan(isFullRun ? 120 : 15);
    });
  });
}
