import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { SettingsHead } from "#app/accounts/settings.tsx";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { testPush } from "#app/reminders/push-test.server.ts";
import { toWireDevice } from "#app/reminders/push-wire.server.ts";
import styles from "#app/styles/accounts/credentials.css?url";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import type { Flash } from "#app/web/session/flash.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import {
  listDevices,
  removeDevice,
  removeIdleDevices,
  removeOwnerDevices,
} from "#db/reminders/push/push-subscriptions.server.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { DeviceList, TestPushForm, ThisDevice } from "./devices.tsx";
import { devicesForm } from "./form.server.ts";

const HERE = "/settings/devices";
const IDLE_DAYS = 30;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, env } = args.context.services;
  const devices = await listDevices(db, user);
  return json({ devices: devices.map(toWireDevice), publicKey: env.vapid.publicKey });
}

type Intent = (services: WebServices, ownerId: string, hash: string) => Promise<Flash | Refusal>;
const toRemovedFlash = (count: number): Flash => ({ say: "devices_removed", count });
const createTestIntent =
  (via: "worker" | "local"): Intent =>
  async (services, ownerId) => {
    const result = await testPush(services, ownerId, via);
    if (isRefusal(result)) return result;
    return { say: "push_tested", sent: result.sent, errors: result.errors.length };
  };

const INTENTS: Record<z.output<typeof devicesForm>["intent"], Intent> = {
  remove: async ({ db }, ownerId, endpoint_hash) =>
    toRemovedFlash(await removeDevice(db, ownerId, { endpoint_hash })),
  remove_all: async ({ db }, ownerId) => toRemovedFlash(await removeOwnerDevices(db, ownerId)),
  cleanup: async ({ db, clock }, ownerId) =>
    toRemovedFlash(await removeIdleDevices(db, ownerId, new Date(clock().getTime() - IDLE_DAYS * DAY_MS))),
  test_worker: createTestIntent("worker"),
  test_local: createTestIntent("local"),
};

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, devicesForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  const flash = await INTENTS[form.intent](args.context.services, user.id, form.endpoint_hash);
  if (isRefusal(flash)) return answerRefusal(args.request, flash, {});
  args.context.session.flash(flash);
  return answerSuccess(args.request, { ok: true }, HERE);
}

export const handle: PageHandle = { title: (text) => text.devices.title };

export const links = linkSheets(styles);

export default function Devices() {
  const { devices, publicKey } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const text = useText().devices;
  return (
    <>
      <SettingsHead title={text.title} lead={text.lead} refused={answer?.refusal.code} />
      {publicKey ? <ThisDevice publicKey={publicKey} /> : <Alert caution>{text.notConfigured}</Alert>}
      <DeviceList devices={devices} />
      {devices.length > 0 && <TestPushForm />}
    </>
  );
}
