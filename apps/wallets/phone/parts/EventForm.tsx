import type { Session } from '@gatefold/sign'
import { useState } from 'react'
import { chainIds, exposedAccounts, toCaip2 } from '../../src/phone/namespaces.ts'
import { useAsyncAction } from '../PhoneProvider.tsx'
import { usePhone } from '../usePhone.ts'
import { SelectRow } from './SelectRow.tsx'

/** Emits one of the session's events, with any data. */
export function EventForm({ session }: { session: Session }) {
  const phone = usePhone()
  const { controls } = phone.wallet
  const { busy, runAction } = useAsyncAction()
  const { topic, namespaces, peer } = session
  const chainId = phone.chainOf(topic)
  const names = [...new Set(Object.values(namespaces).flatMap(({ events }) => events))]
  const [chosen, setChosen] = useState(names[0])
  const [draft, setDraft] = useState<string>()
  if (!chosen) return undefined

  const defaultData = chosen === 'chainChanged' ? chainId : exposedAccounts(controls)
  const data = draft ?? JSON.stringify(defaultData)
  const granted = chainIds(namespaces)
  const chain = granted.includes(chainId) ? chainId : (granted[0] ?? chainId)
  const emit = () =>
    phone.sign.emit({ topic, chainId: toCaip2(chain), event: { name: chosen, data: parse(data) } })

  return (
    <section className="stack" aria-labelledby="send-event">
      <h3 id="send-event" className="caption">
        Send an event
      </h3>
      <form
        className="group"
        onSubmit={(event) => {
          event.preventDefault()
          void runAction(emit, `Sent ${chosen} to ${peer.metadata.name}.`)
        }}
      >
        <SelectRow
          label="Event"
          value={chosen}
          options={names.map((name) => [name, name])}
          onChange={(name) => {
            setChosen(name)
            setDraft(undefined)
          }}
        />
        <label className="control-row">
          <span>Data</span>
          <input
            type="text"
            value={data}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          />
        </label>
        <button type="submit" className="button" data-size="small" disabled={busy}>
          Send event
        </button>
      </form>
    </section>
  )
}

/** Parses JSON; any other text is sent as a string. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
