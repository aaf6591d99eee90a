import { useText } from "#app/i18n/text.ts";

export function DraftOffer() {
  const text = useText().drafts;
  return (
    <div
      className="cluster alert-caution gap-3 rows-2 pad-4 pad-block-2 round"
      role="status"
      data-draft
      hidden
    >
      <p>
        {text.found} <bdi className="soft" data-draft-words />
      </p>
      <button className="button button-small" type="button" data-draft-use>
        {text.use}
      </button>
      <button className="button button-small" type="button" data-draft-drop>
        {text.drop}
      </button>
    </div>
  );
}
