import type { ReactNode } from 'react'

import type { Settings, VariableKey } from './settings.ts'

const accents = ['#3F5BD9', '#CD9D6A', '#E11D48', '#0E9F6E', '#7C3AED', '#EA7A17', '#18181B']
const fonts = [
  ['', 'System'],
  ["'Instrument Sans Variable', sans-serif", 'Instrument Sans'],
  ["Georgia, 'Times New Roman', serif", 'Serif'],
  ['ui-monospace, monospace', 'Monospace'],
] as const

type Properties = { settings: Settings; onChange: (change: Partial<Settings>) => void }

/** The controls for the theme variables. */
export function ThemeControls({ settings, onChange }: Properties) {
  const { variables } = settings
  const set = (key: VariableKey, value: string | undefined) => {
    const { [key]: _, ...others } = variables
    onChange({ variables: value ? { ...others, [key]: value } : others })
  }
  return (
    <>
      <Field label="Accent">
        <span className="swatches">
          {accents.map((color) => (
            <button
              key={color}
              type="button"
              className="swatch"
              style={{ background: color }}
              aria-label={`Accent ${color}`}
              aria-pressed={(variables.accent ?? accents[0]) === color}
              onClick={() => set('accent', color === accents[0] ? undefined : color)}
            />
          ))}
          <Color
            label="Another accent"
            value={variables.accent ?? accents[0]!}
            onChange={(color) => set('accent', color)}
          />
        </span>
      </Field>
      <Field label="Background">
        <Color
          label="Background"
          value={variables.background ?? '#FFFFFF'}
          onChange={(color) => set('background', color)}
        />
        <Reset isSet={Boolean(variables.background)} onClick={() => set('background', undefined)} />
      </Field>
      <Field label="Color mix">
        <Color
          label="Color mix"
          value={variables.mix ?? variables.accent ?? accents[0]!}
          onChange={(color) => set('mix', color)}
        />
        <Range
          label="Strength of the color mix"
          unit="%"
          min={0}
          max={50}
          value={variables.strength ?? '0%'}
          onChange={(value) => set('strength', value === '0%' ? undefined : value)}
        />
      </Field>
      <Field label="Corner radius">
        <Range
          label="Corner radius"
          unit="px"
          min={0}
          max={16}
          value={variables.radius ?? '4px'}
          onChange={(value) => set('radius', value === '4px' ? undefined : value)}
        />
      </Field>
      <Field label="Font size">
        <Range
          label="Font size"
          unit="px"
          min={8}
          max={14}
          value={variables.size ?? '10px'}
          onChange={(value) => set('size', value === '10px' ? undefined : value)}
        />
      </Field>
      <Field label="Font">
        <select
          aria-label="Font"
          value={variables.font ?? ''}
          onChange={(event) => set('font', event.target.value)}
        >
          {fonts.map(([value, label]) => (
            <option key={label} value={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
    </>
  )
}

/** A row with a label and its controls. */
export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="field">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <span className="controls">{children}</span>
    </div>
  )
}

function Color(properties: { label: string; value: string; onChange: (value: string) => void }) {
  const { label, value, onChange } = properties
  return (
    <input
      type="color"
      aria-label={label}
      value={value.toLowerCase()}
      onChange={(event) => onChange(event.target.value.toUpperCase())}
    />
  )
}

function Range(properties: {
  label: string
  unit: string
  min: number
  max: number
  value: string
  onChange: (value: string) => void
}) {
  const { label, unit, min, max, value, onChange } = properties
  return (
    <>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={value}
        min={min}
        max={max}
        value={Number.parseInt(value, 10)}
        onChange={(event) => onChange(`${event.target.value}${unit}`)}
      />
      <output>{value}</output>
    </>
  )
}

function Reset({ isSet, onClick }: { isSet: boolean; onClick: () => void }) {
  return (
    <button type="button" className="quiet" disabled={!isSet} onClick={onClick}>
      Reset
    </button>
  )
}
