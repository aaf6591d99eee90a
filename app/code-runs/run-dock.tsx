import { useText } from "#app/i18n/text.ts";
import dockStyles from "#app/styles/code-runs/run-dock.css?url";
import { Icon } from "#app/web/ui/icon.tsx";

type ProgramProps = { name: string; folder: string };

/** Holds the place of the dock. The first run loads the dock from the page of code tools, so that reading a file does not wait for it. */
export function RunDockPlace({
  name,
  folder,
  file,
}: ProgramProps & { file: { id: string; version: number } }) {
  const text = useText().file;
  return (
    <div
      data-dock-place
      data-name={name}
      data-folder={folder}
      data-file={file.id}
      data-version={text.version(file.version)}
      hidden
    />
  );
}

/** Shown by `enhance/editor/run-dock.ts` while and after a program runs; without JavaScript a run answers with a page that shows its result. */
export function RunDock({ form, name, folder }: ProgramProps & { form: string }) {
  const { runs, tools, refusals } = useText();
  const { dock } = runs;
  const { rate_limit_exceeded, queue_unavailable, run_interrupted, execution_disabled, not_runnable } =
    refusals;
  const { missing_code, payload_too_large, internal } = refusals;
  const reasons = {
    ...{ rate_limit_exceeded, queue_unavailable, run_interrupted, execution_disabled, not_runnable },
    ...{ missing_code, payload_too_large, internal },
  };
  return (
    <section
      className="run-dock bar-foot grid gap-2 above-4 raised edge lifted"
      aria-label={tools.result}
      data-run-dock
      data-words={JSON.stringify(dock.words)}
      data-refusals={JSON.stringify(reasons)}
      data-name={name}
      data-folder={folder}
      hidden
    >
      <link rel="stylesheet" href={dockStyles} />
      <div className="cluster spread gap-3 rows-1">
        <p className="cluster">
          <span className="status" role="status" data-dock-status />
          <span className="soft" data-dock-facts />
        </p>
        <div className="cluster">
          <button className="button button-small" type="button" data-dock-stop>
            <Icon name="stop" />
            {dock.stop}
          </button>
          <button
            className="button button-small"
            type="submit"
            form={form}
            name="intent"
            value="run"
            title={dock.again}
            data-dock-again
            hidden
          >
            <Icon name="play" />
            <span className="words-if-wide">{dock.again}</span>
          </button>
          <button className="button button-small" type="button" title={dock.saveOutput} data-dock-save hidden>
            <Icon name="download" />
            <span className="words-if-wide">{dock.saveOutput}</span>
          </button>
          <button className="button button-small" type="button" title={dock.close} data-dock-close>
            <Icon name="remove" />
            <span className="words-if-wide">{dock.close}</span>
          </button>
        </div>
      </div>
      <section
        className="run-dock-output from-start round sunk pad-3 pad-block-2"
        aria-label={tools.stdout}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        dir="ltr"
        data-dock-scroll
      >
        <pre className="flush" data-dock-output />
      </section>
      <ul className="small grid gap-1" data-dock-files hidden />
      <details className="disclosure flush" data-dock-options>
        <summary>{dock.options}</summary>
        <div className="above-2" data-dock-fields />
      </details>
    </section>
  );
}

type InputProps = { form: string; stdin?: string; args?: string };

/** The input of a program. The fields belong to their form from any part of the page. */
export function RunInput({ form, stdin, args }: InputProps) {
  const { dock } = useText().runs;
  return (
    <div className="full small flex wraps gap-4 rows-2" data-run-input>
      <label className="grid grow-16 packed gap-1 shrinks">
        {dock.args}
        <input
          className="input code"
          name="args"
          form={form}
          dir="ltr"
          defaultValue={args}
          placeholder={dock.argsExample}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
        />
      </label>
      <label className="grid grow-16 packed gap-1 shrinks">
        {dock.stdin}
        <textarea
          className="input code target"
          name="stdin"
          form={form}
          rows={2}
          dir="ltr"
          defaultValue={stdin}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
        />
      </label>
    </div>
  );
}
