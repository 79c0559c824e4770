import { useEffect, useState } from 'react'
import type { PendingRequest } from '../../src/provider/createApprovals.ts'
import { type CostRow, describe } from '../../src/window/describe.ts'
import { Facts } from '../parts/Facts.tsx'
import { Note } from '../parts/Note.tsx'
import { usePhone } from '../usePhone.ts'

/** A request of a session in words: what is signed or sent, from whom to whom, and what it costs. */
export function RequestBody({ request }: { request: PendingRequest }) {
  const { controls } = usePhone().wallet
  // Once: describing a transaction asks the chain what it costs.
  const [content] = useState(() => describe(request, controls))
  const { rows, text, fields, warning, line, cost } = content
  const costRow = useCost(cost)
  return (
    <>
      {warning && (
        <Note kind="warn" icon="warn">
          <p>{warning}</p>
        </Note>
      )}
      {text !== undefined && (
        <pre className="text" data-testid="message">
          {text || '(an empty text)'}
        </pre>
      )}
      {fields && <Facts rows={fields} />}
      <Facts rows={[...rows, ...(costRow ? [costRow] : [])]} />
      {line && <p className="fine">{line}</p>}
    </>
  )
}

/** The line on gas; it waits for the chain. */
function useCost(cost: Promise<CostRow> | undefined): CostRow | undefined {
  const [known, setKnown] = useState<CostRow>()
  useEffect(() => {
    let stopped = false
    void cost?.then((row) => {
      if (!stopped) setKnown(row)
    })
    return () => void (stopped = true)
  }, [cost])
  return cost && (known ?? { label: 'Gas, at most', value: '…', bad: false })
}
