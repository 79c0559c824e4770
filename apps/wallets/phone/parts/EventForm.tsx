import type { Session } from '@gatefold/sign'
import { useState } from 'react'
import { chainIds, tellAccounts, toCaip2 } from '../../src/phone/namespaces.ts'
import { useAttempt } from '../PhoneProvider.tsx'
import { useCurrent, usePhone } from '../usePhone.ts'
import { Pick } from './Pick.tsx'

/** Tells an app something of the wallet's own accord: one of the session's events, with any data. */
export function EventForm({ session }: { session: Session }) {
  const phone = usePhone()
  const { controls, chainId } = useCurrent()
  const { busy, attempt } = useAttempt()
  const { topic, namespaces, peer } = session
  const names = [...new Set(Object.values(namespaces).flatMap(({ events }) => events))]
  const [chosen, setChosen] = useState(names[0])
  const [written, setWritten] = useState<string>()
  if (!chosen) return undefined

  const usual = chosen === 'chainChanged' ? chainId : tellAccounts(controls)
  const data = written ?? JSON.stringify(usual)
  const granted = chainIds(namespaces)
  const chain = granted.includes(chainId) ? chainId : (granted[0] ?? chainId)
  const emit = () =>
    phone.sign.emit({ topic, chainId: toCaip2(chain), event: { name: chosen, data: parse(data) } })

  return (
    <section className="stack" aria-labelledby="tell">
      <h3 id="tell" className="caption">
        Tell it something
      </h3>
      <form
        className="leaf"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(emit, `${peer.metadata.name} was told ${chosen}.`)
        }}
      >
        <Pick
          label="Event"
          value={chosen}
          options={names.map((name) => [name, name])}
          onPick={(name) => {
            setChosen(name)
            setWritten(undefined)
          }}
        />
        <label className="pick">
          <span>Data</span>
          <input
            type="text"
            value={data}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => setWritten(currentTarget.value)}
          />
        </label>
        <button type="submit" className="button" data-size="small" disabled={busy}>
          Send the event
        </button>
      </form>
    </section>
  )
}

/** JSON where it is some, else the text as it stands: a wallet may say anything. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
