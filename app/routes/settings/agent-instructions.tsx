import { useText } from "#app/i18n/text.ts";
import { Bytes } from "#app/ui/bytes.tsx";
import { INSTRUCTIONS_MAX_BYTES } from "#domain/accounts/agent-instructions.ts";
import { utf8Bytes } from "#domain/text/text.ts";

const NEARLY_FULL = 0.9;

/** The instructions for agents and their size; `enhance/size-meter.ts` updates the size during typing. */
export function AgentInstructions({ text, seen }: { text: string; seen: string }) {
  const settingsText = useText().settings;
  const size = utf8Bytes(text);
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="settings-agent">
      <h2 id="settings-agent">{settingsText.agent}</h2>
      <p className="soft">{settingsText.agentLead}</p>
      <form className="stack" method="post">
        <input type="hidden" name="seen" value={seen} />
        <textarea
          className="input code"
          name="instructions"
          rows={6}
          dir="auto"
          spellCheck={false}
          defaultValue={text}
          aria-label={settingsText.agentField}
          aria-describedby="agent-size agent-secrets"
          aria-invalid={size > INSTRUCTIONS_MAX_BYTES || undefined}
          data-measured="agent-size"
        />
        <div className="cluster small soft gap-3 rows-2">
          <meter
            min={0}
            max={INSTRUCTIONS_MAX_BYTES}
            high={INSTRUCTIONS_MAX_BYTES * NEARLY_FULL}
            value={size}
            aria-label={settingsText.agentMeter}
          />
          <span id="agent-size" dir="ltr">
            <bdi data-size="">
              <Bytes count={size} />
            </bdi>
            {" / "}
            <Bytes count={INSTRUCTIONS_MAX_BYTES} />
          </span>
        </div>
        <p className="soft small" id="agent-secrets">
          {settingsText.agentSecrets}
        </p>
        <div className="actions">
          <button className="button button-primary" type="submit">
            {settingsText.agentSave}
          </button>
        </div>
      </form>
    </section>
  );
}
