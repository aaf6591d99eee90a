import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { linkSheets, type RouteHandle } from "#app/page-handle.ts";
import styles from "#app/styles/frame/home.css?url";
import { HOME_SCENES } from "#app/web/ui/home-scenes.ts";
import { ProductPicture, ScenePicture } from "#app/web/ui/product-picture.tsx";

export const links = linkSheets(styles);

export const handle: RouteHandle = { robots: "index" };

export default function Home() {
  const text = useText();
  const { person } = usePage();
  return (
    <section className="home pad-block-8 grid">
      <div className="grid items-start gap-4 reading-wide">
        <h1>{text.home.title}</h1>
        <p className="large soft">{text.home.lead}</p>
        <a className="button button-primary button-large" href={person ? "/files" : "/login"}>
          {person ? text.home.open : text.home.start}
        </a>
      </div>
      <ProductPicture />
      <ul className="grid">
        {HOME_SCENES.map((scene) => (
          <li className="grid gap-2" key={scene}>
            <h2>{text.home.scenes[scene].title}</h2>
            <p className="soft">{text.home.scenes[scene].lead}</p>
            <ScenePicture scene={scene} alt={text.home.scenes[scene].picture} />
          </li>
        ))}
      </ul>
    </section>
  );
}
