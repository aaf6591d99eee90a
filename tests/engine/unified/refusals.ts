/**
 * Nothing is set aside on trust: the server is asked once for each feature that a test uses, and only its
 * own refusal makes the test not applicable. A server that accepts the feature has to pass the test.
 */
import { type Document, MongoServerError } from "mongodb";
import { FEATURES, type Feature, needs, SCRATCH } from "./features.ts";
import type { TestCase, TestFile } from "./format.ts";
import type { Server } from "./server.ts";

export class Refusals {
  private readonly server: Server;
  private readonly answers = new Map<Feature, Promise<string | undefined>>();

  constructor(server: Server) {
    this.server = server;
  }

  /** The server's refusal of a feature that the test uses, or nothing. */
  async of(file: TestFile, test: TestCase): Promise<string | undefined> {
    for (const feature of FEATURES) {
      if (!needs(feature, file, test)) continue;
      const refusal = await this.ask(feature);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  private ask(feature: Feature): Promise<string | undefined> {
    const known = this.answers.get(feature) ?? this.command(feature);
    this.answers.set(feature, known);
    return known;
  }

  private async command(feature: Feature): Promise<string | undefined> {
    const scratch = this.server.client.db(SCRATCH);
    await scratch.dropDatabase();
    try {
      for (const command of [feature.ask].flat()) {
        const reply = await this.server.client.db(feature.database ?? SCRATCH).command(command);
        const [failed] = reply.writeErrors ?? [];
        if (failed !== undefined) return refused(feature, failed);
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
      return refused(feature, { code: error.code, errmsg: error.message });
    } finally {
      await scratch.dropDatabase();
    }
  }
}

const INTERNAL_ERROR = 1;

/** A server that breaks down at the question has not refused it. */
function refused(feature: Feature, { code, errmsg }: Document): string | undefined {
  if (code === INTERNAL_ERROR) return undefined;
  return `the server refuses ${feature.name} (${code}: ${errmsg})`;
}
