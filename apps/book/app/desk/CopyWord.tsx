import { useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { shorten } from '../wallet/format.ts'
import type { Hex } from '../wallet/wallet.ts'

type CopyWordProps = {
  /** What it is, for the button's name: `signature`, `hash`. */
  what: string
  word: Hex
}

/** A long hexadecimal word, shown short and copied whole. */
export function CopyWord({ what, word }: CopyWordProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  async function copy() {
    try {
      await navigator.clipboard.writeText(word)
      setState('copied')
    } catch {
      setState('refused') // no permission, or no clipboard here: the word is shown whole instead
    }
  }
  return (
    <span className="word" data-state={state}>
      <bdi dir="ltr" title={word}>
        {state === 'refused' ? word : shorten(word, 6)}
      </bdi>
      <button type="button" onClick={() => void copy()} aria-label={`Copy the ${what}`}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
        {state === 'copied' ? 'Copied' : 'Copy'}
      </button>
    </span>
  )
}
