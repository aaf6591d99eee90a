import { useText } from "#app/i18n/text.ts";

const BACKGROUNDS = ["checkered", "light", "dark"] as const;
export type Background = (typeof BACKGROUNDS)[number];

export function readBackground(request: { url: string }): Background {
  const chosen = new URL(request.url).searchParams.get("background");
  return BACKGROUNDS.find((name) => name === chosen) ?? BACKGROUNDS[0];
}

type DrawingProps = {
  fileName: string;
  src: string;
  background: Background;
  addressOn(background: Background): string;
};

/** A drawing in an `<img>`, in which browsers run and fetch nothing, on a chosen background. */
export function Drawing({ fileName, src, background, addressOn }: DrawingProps) {
  const text = useText().viewers;
  return (
    <>
      <nav className="cluster below-3" aria-label={text.background}>
        {BACKGROUNDS.map((name) => (
          <a
            key={name}
            className="button button-small"
            href={addressOn(name)}
            aria-current={name === background ? "true" : undefined}
          >
            {text.backgrounds[name]}
          </a>
        ))}
      </nav>
      <div className={`drawing grid edge drawing-${background}`}>
        <img src={src} alt={text.drawing(fileName)} />
      </div>
    </>
  );
}

export function PagePreviewFrame({ fileName, src }: { fileName: string; src: string }) {
  const text = useText().viewers;
  return (
    <>
      <iframe
        className="surface preview-frame block full"
        sandbox=""
        src={src}
        title={text.frame(fileName)}
      />
      <p className="soft above-2">{text.frameNote}</p>
    </>
  );
}
