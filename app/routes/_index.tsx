import { useRouteLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import type { loader as rootLoader } from "#app/root.tsx";

export default function Home() {
  const text = useText();
  const person = useRouteLoaderData<typeof rootLoader>("root")?.person;
  return (
    <section>
      <h1>{text.home.title}</h1>
      <p>{text.home.lead}</p>
      {person ? <a href="/files">{text.home.open}</a> : <a href="/login">{text.home.start}</a>}
    </section>
  );
}
