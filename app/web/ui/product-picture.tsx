import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import type { HomeScene } from "#app/web/ui/home-scenes.ts";

type Colours = "light" | "dark";

const wide = (colours: Colours) =>
  `/pictures/file-${colours}-1x.webp 1280w, /pictures/file-${colours}-2x.webp 2560w`;
const narrow = (colours: Colours) => `/pictures/file-phone-${colours}.webp`;

const SIZES = "(width >= 76rem) 72rem, 100vw";
const NARROW = "(width < 40rem)";
const DARK = "(prefers-color-scheme: dark)";

/** A small picture of one feature, loaded when it scrolls near. */
export function ScenePicture({ scene, alt }: { scene: HomeScene; alt: string }) {
  const { theme } = usePage();
  const followsSystem = theme === "system" || theme === "contrast";
  const address = (colours: Colours) => `/pictures/${scene}-${colours}.webp`;
  return (
    <picture>
      {followsSystem && <source srcSet={address("dark")} media={DARK} />}
      <img
        className="surface full lifted"
        src={address(theme === "dark" ? "dark" : "light")}
        alt={alt}
        loading="lazy"
        width={640}
        height={400}
      />
    </picture>
  );
}

/** The product on a screen like the visitor's, in the colours of the page. */
export function ProductPicture() {
  const text = useText().home;
  const { theme } = usePage();
  const followsSystem = theme === "system" || theme === "contrast";
  const colours = theme === "dark" ? "dark" : "light";
  const onPhone = { width: 390, height: 600 };
  return (
    <picture>
      {followsSystem && <source srcSet={narrow("dark")} media={`${NARROW} and ${DARK}`} {...onPhone} />}
      <source srcSet={narrow(colours)} media={NARROW} {...onPhone} />
      {followsSystem && <source srcSet={wide("dark")} sizes={SIZES} media={DARK} />}
      <img
        className="surface full lifted"
        srcSet={wide(colours)}
        sizes={SIZES}
        alt={text.picture}
        fetchPriority="high"
        width={1280}
        height={720}
      />
    </picture>
  );
}
