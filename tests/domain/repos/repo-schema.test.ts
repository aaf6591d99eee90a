import { describe, expect, it } from "vitest";
import { z } from "zod";
import { pushEvent, repoAddress, repoRequest } from "#domain/repos/repo-schema.ts";

const url = "https://code.example/o/n.git";

describe("a repository to be mirrored", () => {
  it.each([{ url }, { url, name: null, token: null }, { url, name: "o/n", token: "secret" }])(
    "may be asked for as %j",
    (given) => {
      expect(repoRequest.safeParse(given).success).toBe(true);
    },
  );

  it.each([{}, { url: "no address" }, { url, name: "o" }, { url, token: "a b" }, { url, more: 1 }])(
    "may not be asked for as %j",
    (given) => {
      expect(repoRequest.safeParse(given).success).toBe(false);
    },
  );

  it("has the name of its address where its own is left empty", () => {
    expect(repoRequest.parse({ url, name: "" })).toEqual({ url, name: null });
  });

  it("is described in the API's document field by field", () => {
    const { properties } = z.toJSONSchema(repoRequest, { io: "input" });

    expect(properties).toMatchObject({
      url: { format: "uri", maxLength: 2_000, description: expect.stringContaining("https") },
      name: { description: expect.stringContaining("owner/name") },
      token: { description: expect.stringContaining("500") },
    });
  });

  it("keeps its name when its address changes", () => {
    expect(repoAddress.safeParse({ url }).success).toBe(true);
    expect(repoAddress.safeParse({ url, name: "o/n" }).success).toBe(false);
  });
});

describe("a push", () => {
  it("names its repository among other things", () => {
    const event = { ref: "main", repository: { id: 1, clone_url: url } };

    expect(pushEvent.parse(event)).toEqual(event);
  });

  it.each([{}, { repository: {} }, { repository: { clone_url: "o/n" } }])("is not %j", (event) => {
    expect(pushEvent.safeParse(event).success).toBe(false);
  });
});
