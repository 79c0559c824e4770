import type { Controls } from '../createControls.ts'
import { type Faults, noFaults, type Trigger } from '../provider/Faults.ts'
import { element, icon } from './element.ts'

/** An address without a key in the wallet, for the `lieAboutAccount` fault. */
export const foreignAddress = '0x000000000000000000000000000000000000dEaD'

/** A panel with an input for every fault, in sync with `controls`. */
export function createFaultsPanel(controls: Controls) {
  const count = element('span', { class: 'tag' })
  const switches = [
    trigger('reject', 'Reject'),
    trigger('hang', 'Don’t respond'),
    trigger('fail', 'Fail'),
    numeric('delayMs', 'Response delay (ms)'),
    choice(
      'wrongChain',
      'Network switch',
      [
        ['off', 'Normal'],
        ['stay', 'Reports success, stays'],
        ['1', 'Switches to chain 1'],
      ],
      (value) => (value === 'off' || value === 'stay' ? value : Number(value)),
    ),
    choice(
      'lieAboutAccount',
      'Visible account',
      [
        ['off', 'Real account'],
        [foreignAddress, 'Foreign account'],
        ['none', 'None'],
      ],
      (value) => value as Faults['lieAboutAccount'],
    ),
    list('unsupported', 'Unsupported methods'),
    toggle('mute', 'Emit no events'),
    toggle('atomicBatches', 'Batches at once'),
  ]
  const group = element('div', { class: 'group' }, ...switches.map(({ node }) => node))
  const reset = element(
    'button',
    {
      type: 'button',
      class: 'button',
      'data-testid': 'wallet-reset',
      onclick: () => controls.reset(),
    },
    'Clear all',
  )
  const node = element(
    'details',
    { 'data-testid': 'wallet-faults' },
    element('summary', {}, 'Faults', count, icon('m5.500 8 4.500 4.500L14.500 8')),
    element('div', { class: 'faults' }, group, element('div', { class: 'foot' }, reset)),
  )

  function field(name: keyof Faults, label: string, input: HTMLElement, update: () => void) {
    input.dataset.testid = `wallet-fault-${name}`
    const node = element('label', {}, element('span', {}, label), input)
    return {
      node,
      update() {
        update()
        input.toggleAttribute(
          'data-modified',
          String(controls.faults[name]) !== String(noFaults[name]),
        )
      },
    }
  }
  function choice<name extends keyof Faults>(
    name: name,
    label: string,
    options: readonly (readonly [string, string])[],
    parse: (value: string) => Faults[name],
  ) {
    const select = element('select', {
      onchange: () => controls.set({ [name]: parse(select.value) }),
    })
    return field(name, label, select, () => {
      const value = String(controls.faults[name])
      // A test may set a value that is not among the options.
      const known = options.some(([one]) => one === value)
      const all = known ? options : [...options, [value, value] as const]
      select.replaceChildren(...all.map(([value, text]) => element('option', { value }, text)))
      select.value = value
    })
  }
  function trigger(name: 'reject' | 'hang' | 'fail', label: string) {
    const options = [
      ['off', 'Never'],
      ['next', 'Next request'],
      ['all', 'Every request'],
    ] as const
    return choice(name, label, options, (value): Trigger =>
      value === 'off' || value === 'next' || value === 'all' ? value : value.split(','),
    )
  }
  function numeric(name: 'delayMs', label: string) {
    const input = element('input', {
      type: 'number',
      min: '0',
      step: '500',
      inputmode: 'numeric',
      oninput: () => controls.set({ [name]: Math.max(0, Number(input.value) || 0) }),
    })
    return field(name, label, input, () => {
      if (Number(input.value) !== controls.faults[name] || input.value === '') {
        input.value = String(controls.faults[name])
      }
    })
  }
  function list(name: 'unsupported', label: string) {
    const input = element('input', {
      type: 'text',
      placeholder: 'wallet_sendCalls, …',
      autocapitalize: 'off',
      autocomplete: 'off',
      spellcheck: 'false',
      onchange: () =>
        controls.set({ [name]: input.value.split(/[\s,…]+/).filter((method) => method) }),
    })
    return field(name, label, input, () => {
      input.value = controls.faults[name].join(', ')
    })
  }
  function toggle(name: 'mute' | 'atomicBatches', label: string) {
    const input = element('input', {
      type: 'checkbox',
      onchange: () => controls.set({ [name]: input.checked }),
    })
    return field(name, label, input, () => {
      input.checked = controls.faults[name]
    })
  }

  return {
    node,
    update() {
      for (const one of switches) one.update()
      const activeCount = group.querySelectorAll('[data-modified]').length
      count.textContent = `${activeCount} on`
      count.hidden = activeCount === 0
    },
  }
}
