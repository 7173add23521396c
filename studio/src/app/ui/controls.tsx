// The controls that all panels are made of: a label, a native element, one look.
import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';

export function Section(props: { title: string; note?: string | undefined; open?: boolean; children: ComponentChildren }) {
  const [open, setOpen] = useState(props.open ?? true);
  const id = useId();
  return (
    <section class="section">
      <h3>
        <button type="button" class="section-head" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <span class="chevron" aria-hidden="true" />
          {props.title}
          {props.note && <span class="note">{props.note}</span>}
        </button>
      </h3>
      <div id={id} class="section-body" hidden={!open}>{open && props.children}</div>
    </section>
  );
}

export function Field(props: { label: string; hint?: string; children: (id: string) => ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} title={props.hint}>{props.label}</label>
      <div class="field-value">{props.children(id)}</div>
    </div>
  );
}

export type Choice = string | [value: string, label: string];

export function Select(props: { label: string; value: string; choices: readonly Choice[]; hint?: string; onChange: (value: string) => void; disabled?: boolean }) {
  return (
    <Field label={props.label} {...(props.hint ? { hint: props.hint } : {})}>
      {(id) => (
        <select id={id} value={props.value} disabled={props.disabled} onChange={(e) => props.onChange(e.currentTarget.value)}>
          {props.choices.map((c) => {
            const [value, label] = typeof c === 'string' ? [c, c] : c;
            return <option key={value} value={value} selected={value === props.value}>{label}</option>;
          })}
        </select>
      )}
    </Field>
  );
}

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  unit?: string;
  onInput: (value: number) => void;
  onDone?: () => void;
}
export function Slider(props: SliderProps) {
  const share = ((props.value - props.min) / (props.max - props.min)) * 100;
  const digits = props.step < 0.1 ? 2 : props.step < 1 ? 1 : 0;
  return (
    <Field label={props.label}>
      {(id) => (
        <>
          <input id={id} type="range" min={props.min} max={props.max} step={props.step} value={props.value}
            style={{ '--share': `${share}%` } as JSX.CSSProperties}
            onInput={(e) => props.onInput(Number(e.currentTarget.value))} onChange={() => props.onDone?.()} />
          <output for={id}>{props.value.toFixed(digits)}{props.unit ?? ''}</output>
        </>
      )}
    </Field>
  );
}

export function Toggle(props: { label: string; value: boolean; hint?: string; onChange: (value: boolean) => void; disabled?: boolean }) {
  return (
    <label class="toggle" title={props.hint}>
      <input type="checkbox" role="switch" checked={props.value} disabled={props.disabled}
        onChange={(e) => props.onChange(e.currentTarget.checked)} />
      <span>{props.label}</span>
    </label>
  );
}

// One of a few: a row of buttons that acts as radio buttons.
export function Segments(props: { label: string; value: string; choices: readonly Choice[]; onChange: (value: string) => void }) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="unseen">{props.label}</legend>
      {props.choices.map((c) => {
        const [value, label] = typeof c === 'string' ? [c, c] : c;
        return (
          <label key={value}>
            <input type="radio" name={name} value={value} checked={value === props.value} onChange={() => props.onChange(value)} />
            <span>{label}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

interface ButtonProps {
  children: ComponentChildren;
  onClick: () => void;
  kind?: 'plain' | 'main' | 'quiet';
  disabled?: boolean | undefined;
  title?: string;
  pressed?: boolean;
}
export function Button(props: ButtonProps) {
  return (
    <button type="button" class={`button ${props.kind ?? 'plain'}`} disabled={props.disabled} title={props.title}
      aria-pressed={props.pressed} onClick={props.onClick}>
      {props.children}
    </button>
  );
}

export function IconButton(props: { icon: ComponentChildren; label: string; keys?: string; onClick: () => void; disabled?: boolean; pressed?: boolean }) {
  return (
    <button type="button" class="icon-button" aria-label={props.label} disabled={props.disabled} aria-pressed={props.pressed}
      title={props.keys ? `${props.label} (${props.keys})` : props.label} onClick={props.onClick}>
      {props.icon}
    </button>
  );
}
