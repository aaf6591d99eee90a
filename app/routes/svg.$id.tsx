import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Drawing, readBackground } from "#app/files/code/drawing.tsx";
import { SourceFallback } from "#app/files/code/source-instead.tsx";
import { readFileHeadData } from "#app/files/file-offers.server.ts";
import { toWireFile } from "#app/files/file-wire.server.ts";
import { highlightSource, openView } from "#app/files/open-view.server.ts";
import { FilePage, getOldVersion } from "#app/main/file-page.tsx";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import viewStyles from "#app/styles/viewers/viewers.css?url";
import { render } from "#app/viewers/renderer.server.ts";
import { atVersion, rawAddress } from "#app/viewers/views.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { file, body, newest } = await openView(args, "svg");
  const { threads } = args.context.services;
  const result = await render(threads, file.user_id, { kind: "svg", body });
  const instead = result.ok ? null : { reason: result.reason, code: await highlightSource(args, file, body) };
  return json({
    file: toWireFile(file),
    newest,
    background: readBackground(args.request),
    instead,
    ...(await readFileHeadData(args.context.services, file)),
  });
}

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: (text, data) => data?.file.file_name ?? text.files.title,
};

export const links = linkSheets(viewStyles);

export default function Svg() {
  const { file, newest, background, instead, ...offers } = useLoaderData<typeof loader>();
  const old = getOldVersion({ file, newest });
  return (
    <FilePage file={file} newest={newest} view="preview" {...offers}>
      {instead ? (
        <SourceFallback reason={instead.reason} code={instead.code} raw={rawAddress(file.id, old)} />
      ) : (
        <Drawing
          fileName={file.file_name}
          src={atVersion(`/raw_svg/${file.id}`, old)}
          background={background}
          addressOn={(name) => atVersion(`/svg/${file.id}?background=${name}`, old)}
        />
      )}
    </FilePage>
  );
}
