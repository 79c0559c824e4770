/** @jsxImportSource preact */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Address } from '../parts/Address.tsx'
import { AskedBy } from '../parts/AskedBy.tsx'
import { Card } from '../parts/Card.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Sentence } from '../parts/Sentence.tsx'
import { approvalText } from '../strings/approval.ts'
import { frameText } from '../strings/frame.ts'
import { useText } from '../strings/useText.ts'
import type { Pending } from './createApprovals.ts'
import { LimitChoice } from './LimitChoice.tsx'
import type { Limit, Note, Statement } from './Statement.ts'
import { watchVisibility } from './watchVisibility.ts'

const cardText = { ...frameText, ...approvalText }

/**
 * Shows a request. The button that approves works only after everything has been fully visible for a while.
 *
 * @param props.site - the origin of the frame, shown so that the visitor can recognize the place.
 * @param props.watch - watches whether it is visible
 * @see docs/threats.md#clickjacking
 */
export function ApprovalCard(props: {
  pending: Omit<Pending, 'kind'>
  waiting: number
  site: string
  watch?: typeof watchVisibility
}) {
  const { pending, waiting, site, watch = watchVisibility } = props
  const { statement } = pending
  const t = useText(cardText)
  const card = useRef<HTMLElement>(null)
  const [isVisible, setVisible] = useFlag(statement)
  const [isTicked, setTicked] = useFlag(statement)
  const [isBusy, setBusy] = useFlag(statement)
  /** Whether the visitor is entering an amount, which the statement does not show yet. */
  const [isEditing, setEditing] = useFlag(statement)
  const isExamining = pending.change === 'examining'

  // Restarts whenever the content changes.
  useEffect(() => watch(card.current!, setVisible), [watch, setVisible])

  const isRefused = statement?.level === 'refused'
  const canApprove =
    statement !== undefined &&
    !isRefused &&
    isVisible &&
    !isBusy &&
    !isEditing &&
    !isExamining &&
    (isTicked || !statement.tick)
  const isDanger = statement?.level === 'danger'
  return (
    <Card
      element={card}
      label={statement?.heading ?? t('approval.label')}
      site={site}
      corner={waiting > 0 && <span class="count">{t('frame.position', { n: waiting + 1 })}</span>}
      // A changed amount leaves the focus where the visitor has entered it.
      content={statement && Boolean(statement.second)}
      bodyLabel={t('approval.request')}
      isBusy={isBusy || isExamining || !statement}
      level={statement?.level ?? 'loading'}
      onClose={() => pending.reject()}
      note={
        <>
          {statement?.tick && (
            <label class="tick">
              <input
                type="checkbox"
                checked={isTicked}
                onChange={(event) => setTicked(event.currentTarget.checked)}
              />
              <span>{statement.tick}</span>
            </label>
          )}
          {statement && !isVisible && !isRefused && (
            <p class="covered" role="status">
              {t('approval.covered')}
            </p>
          )}
        </>
      }
      buttons={
        isRefused ? (
          <button type="button" class="accent" onClick={() => pending.reject()}>
            {statement.action}
          </button>
        ) : (
          <>
            <button
              type="button"
              class={isDanger ? 'accent' : ''}
              disabled={isBusy}
              onClick={() => pending.reject()}
            >
              {t('frame.reject')}
            </button>
            <button
              type="button"
              class={isDanger ? '' : 'accent'}
              aria-disabled={!canApprove}
              onClick={(event) => {
                // A page cannot click inside the frame, but browser extensions
                // can dispatch events there.
                if (!canApprove || !event.isTrusted) return
                setBusy(statement.second === undefined)
                pending.approve()
              }}
            >
              {isBusy
                ? t('approval.signing')
                : statement?.second
                  ? t('approval.next')
                  : (statement?.action ?? t('approval.label'))}
            </button>
          </>
        )
      }
    >
      <h1>
        <Sentence text={statement?.sentence ?? t('approval.reading')} />
      </h1>
      <AskedBy origin={pending.origin} />
      {statement && (
        <Facts
          statement={statement}
          change={pending.change}
          onEdit={setEditing}
          onLimit={(call, amount) => pending.limit(call, amount)}
        />
      )}
    </Card>
  )
}

/**
 * A flag of a statement, which is false for another one. An effect that resets it would run after the next statement has
 * been painted, so a click could approve what nobody has read.
 */
function useFlag(statement: Statement | undefined): [boolean, (value: boolean) => void] {
  const [flag, setFlag] = useState({ statement, value: false })
  const set = useCallback((value: boolean) => setFlag({ statement, value }), [statement])
  return [flag.value && flag.statement === statement, set]
}

function Facts(props: {
  statement: Statement
  change: Pending['change']
  onEdit: (isEditing: boolean) => void
  onLimit: Pending['limit']
}) {
  const { statement, change, onEdit, onLimit } = props
  const { notes, movements, steps = [], limit, details, message, exact } = statement
  const toChoice = (chosen: Limit) => (
    <LimitChoice
      limit={chosen}
      change={change}
      onEdit={onEdit}
      onChoose={(amount) => onLimit(chosen.call, amount)}
    />
  )
  return (
    <>
      {notes.map((note) => (
        <NoteBox key={note.title + note.text} note={note} />
      ))}
      {limit && toChoice(limit)}
      {message !== undefined && (
        <pre class="message" dir="auto">
          {message}
        </pre>
      )}
      {movements.length > 0 && (
        <ul class="movements">
          {movements.map(({ name, amount, isGain }, index) => (
            <li key={`${index} ${name}`}>
              <span>{name}</span>
              <b data-gain={isGain} dir="auto">
                {amount}
              </b>
            </li>
          ))}
        </ul>
      )}
      {steps.length > 0 && (
        <ol class="steps">
          {steps.map((step, index) => (
            <li key={index}>
              <b>
                <Sentence text={step.sentence} />
              </b>
              {step.limit && toChoice(step.limit)}
              <Details details={step.details} />
              <Exact text={step.exact} />
            </li>
          ))}
        </ol>
      )}
      <Details details={details} />
      <Exact text={exact} />
    </>
  )
}

function Details({ details }: { details: Statement['details'] }) {
  if (details.length === 0) return null
  return (
    <dl>
      {details.map(([term, value], index) => (
        <div key={`${index} ${term}`}>
          <dt>{term}</dt>
          <dd dir="auto">{isAddress(value) ? <Address text={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Exact({ text }: { text: string | undefined }) {
  const t = useText(approvalText)
  if (text === undefined) return null
  return (
    <details>
      <summary>{t('approval.exact')}</summary>
      <pre dir="ltr">{text}</pre>
    </details>
  )
}

function NoteBox({ note: { level, title, text } }: { note: Note }) {
  return (
    <div class="note" data-level={level} role={level === 'info' ? undefined : 'alert'}>
      <Icon name={level === 'info' ? 'info' : level === 'refused' ? 'ban' : 'warn'} />
      <p>
        {title && <b>{title}</b>}
        {text}
      </p>
    </div>
  )
}

/** Whether a text is an EVM or a Solana address. */
const isAddress = (text: string) => /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{43,44})$/.test(text)
