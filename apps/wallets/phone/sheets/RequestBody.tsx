import { useEffect, useState } from 'react'
import type { PendingRequest } from '../../src/provider/createApprovals.ts'
import { type CostRow, describeRequest } from '../../src/window/describeRequest.ts'
import { DetailList } from '../parts/DetailList.tsx'
import { Note } from '../parts/Note.tsx'
import { usePhone } from '../usePhone.ts'

/** Details of a request: the data to sign or send, the accounts, and the fee. */
export function RequestBody({ request }: { request: PendingRequest }) {
  const { controls } = usePhone().wallet
  // Runs once per request, because each description has its own promise of the fee row.
  const [content] = useState(() => describeRequest(request, controls))
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
          {text || '(empty)'}
        </pre>
      )}
      {fields && <DetailList rows={fields} />}
      <DetailList rows={[...rows, ...(costRow ? [costRow] : [])]} />
      {line && <p className="hint">{line}</p>}
    </>
  )
}

/** The fee row, updated once the chain has responded. */
function useCost(cost: Promise<CostRow> | undefined): CostRow | undefined {
  const [known, setKnown] = useState<CostRow>()
  useEffect(() => {
    let stopped = false
    void cost?.then((row) => {
      if (!stopped) setKnown(row)
    })
    return () => void (stopped = true)
  }, [cost])
  return cost && (known ?? { label: 'Maximum fee', value: '…', isError: false })
}
