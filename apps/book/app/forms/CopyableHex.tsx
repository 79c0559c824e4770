import { useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { shorten } from '../wallet/format.ts'
import type { Hex } from '../wallet/wallet.ts'

type CopyableHexProps = {
  /** The name of the value in the button's label: `signature`, `hash`. */
  name: string
  value: Hex
}

/** A shortened hex value with a button that copies it in full. */
export function CopyableHex({ name, value }: CopyableHexProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      setState('copied')
    } catch {
      setState('failed') // no clipboard access: shows the full value instead
    }
  }
  return (
    <span className="hex" data-state={state}>
      <bdi dir="ltr" title={value}>
        {state === 'failed' ? value : shorten(value, 6)}
      </bdi>
      <button type="button" onClick={() => void copy()} aria-label={`Copy the ${name}`}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
        {state === 'copied' ? 'Copied' : 'Copy'}
      </button>
    </span>
  )
}
