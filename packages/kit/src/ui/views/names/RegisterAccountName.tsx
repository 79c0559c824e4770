import { useState } from 'react'

import { limits } from '@gatefold/protocol'
import { findLabelProblem } from '@gatefold/protocol/gateway'

import { shortAddress } from '../../../core/account/shortAddress.ts'
import { getSession } from '../../../core/connection/account.ts'
import { UserRejectedError } from '../../../core/kit/errors.ts'
import {
  NameAccountChangedError,
  NameClockError,
  NameExpiredError,
  NameSignatureError,
  NameTakenError,
  TooManyNamesError,
} from '../../../core/names/errors.ts'
import { openLink } from '../../../core/platform/openLink.ts'
import { reset } from '../../../core/view/navigate.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitAccount } from '../../../react/hooks.ts'
import { useKitNameCheck } from '../../../react/nameCheck.ts'
import { useText } from '../../hooks/useText.ts'
import type { Translate } from '../../hooks/useText.ts'
import { useWalletArt } from '../../hooks/useWalletArt.ts'
import { useWalletName } from '../../hooks/useWalletName.ts'
import { user } from '../../icons/account.ts'
import { check as checkIcon, retry, spin } from '../../icons/base.ts'
import { external } from '../../icons/guide.ts'
import { tag } from '../../icons/names.ts'
import { AddressAvatar } from '../../parts/AddressAvatar.tsx'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import { Field } from '../../parts/Field.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row, Tag } from '../../parts/List.tsx'
import { Message } from '../../parts/Message.tsx'
import { Fact, Facts } from '../../parts/money/Facts.tsx'
import { Note } from '../../parts/Note.tsx'
import { Style } from '../../parts/Style.tsx'
import { namesText } from '../../strings/names.ts'
import css from '../../styles/names.css?inline'
import { getDraft, setDraft } from './draft.ts'
import { NoZone } from './NoZone.tsx'
import { useNameRun } from './useNameRun.ts'
import type { NameRun } from './useNameRun.ts'
import { useAddress, useZone } from './useZone.ts'

/**
 * Registers a name: input, signature, registration.
 *
 * @see spec §4.10, §5.4.1; docs/views.md#registeraccountname
 */
export function RegisterAccountName() {
  const kit = useInstance()
  const t = useText(namesText)
  const zone = useZone()
  const [text, setText] = useState(() => getDraft(kit))
  const { run, start, cancel } = useNameRun({
    done: (name) => t('names.doneToast', { name }),
    failed: (name) => t('names.failedToast', { name }),
  })
  const change = (next: string) => {
    setDraft(kit, next)
    setText(next)
  }
  if (run && run.status !== 'failed') return <Progress run={run} onCancel={cancel} />
  if (zone.status !== 'ready') return <NoZone zone={zone} heights={[73, 48]} />
  return (
    <Form
      zone={zone.zone}
      own={zone.own}
      text={text}
      failed={run}
      onChange={change}
      onStart={(label, name, signed) => start({ label, name, signed })}
    />
  )
}

type Failed = Extract<NameRun, { status: 'failed' }>

function Form(props: {
  zone: string
  own: string | undefined
  text: string
  failed: Failed | undefined
  onChange: (text: string) => void
  onStart: (label: string, name: string, signed: Failed['signed']) => void
}) {
  const { zone, own, text, onChange } = props
  const kit = useInstance()
  const t = useText(namesText)
  const { wallet } = useWalletName()
  const address = useAddress()
  const label = toLabel(text, zone)
  const name = `${label}.${zone}`
  const problem = findLabelProblem(label)
  const instead = problem && toSimilarLabel(label)
  const check = useKitNameCheck(own ? '' : (instead ?? label))
  const { data, isError } = check
  const failed = props.failed?.name === name ? props.failed : undefined
  const isTaken = failed?.error instanceof NameTakenError
  const isUnsent = failed?.signed !== undefined && isUnknown(failed.error)
  const state = own
    ? 'owned'
    : problem
      ? 'problem'
      : isError
        ? 'notChecked'
        : !data
          ? 'checking'
          : data.isAvailable && !isTaken
            ? 'available'
            : 'registered'
  const submit = () => {
    if (state === 'available') props.onStart(label, name, isUnsent ? failed?.signed : undefined)
  }
  const error =
    state === 'owned'
      ? t('names.owned', { name: own ?? '' })
      : problem && problem !== 'short'
        ? t(`names.${problem}`, { x: wrongCharacter(label) })
        : undefined
  const missing = limits.nameMinLength - label.length
  const hint =
    label === ''
      ? t('names.rule')
      : problem === 'short'
        ? missing === 1
          ? t('names.oneMore')
          : t('names.more', { n: missing })
        : state === 'checking'
          ? t('names.checking')
          : undefined

  return (
    <form
      className="gf-body"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Style css={css} />
      <div className="gf-name-form">
        <Field
          label={t('names.field')}
          placeholder={t('names.placeholder')}
          icon={tag}
          dir="ltr"
          value={text}
          onChange={onChange}
          error={error}
          hint={hint}
          end={
            <>
              <span className="gf-zone">.{zone}</span>
              {state === 'checking' && <Icon d={spin} spin />}
            </>
          }
        />
      </div>
      <p className="gf-hidden" role="status">
        {state === 'available' && `${name}: ${t('names.available')}`}
        {state === 'registered' && `${name}: ${t('names.registered')}`}
      </p>
      {state === 'problem' && instead && data?.isAvailable && !isError && (
        <List label={t('names.results')}>
          <NameRow
            name={data.name}
            note={t('names.instead')}
            onClick={() => onChange(instead)}
            isAvailable
          />
        </List>
      )}
      {state === 'available' && (
        <List label={t('names.results')}>
          <NameRow
            name={name}
            note={t(failed ? 'names.stillFree' : 'names.yours')}
            icon={checkIcon}
            isAvailable
          />
        </List>
      )}
      {state === 'registered' && (
        <>
          <List label={t('names.results')}>
            <NameRow
              name={name}
              note={t(isTaken ? 'names.takenNow' : 'names.takenHint')}
              icon={user}
            />
          </List>
          {data && data.suggestions.length > 0 && (
            <>
              <p className="gf-name-caption">{t('names.similar')}</p>
              <List label={t('names.similar')}>
                {data.suggestions.map((one) => (
                  <NameRow
                    key={one}
                    name={one}
                    onClick={() => onChange(toLabel(one, zone))}
                    isAvailable
                  />
                ))}
              </List>
            </>
          )}
        </>
      )}
      {state === 'notChecked' && (
        <Note kind="warn" role="alert" title={t('names.notChecked')}>
          {t('names.notCheckedHint')}
        </Note>
      )}
      {failed && state !== 'owned' && (
        <Note kind={failed.error instanceof UserRejectedError ? 'info' : 'warn'} role="alert">
          {reasonOf(failed.error, t, { wallet, address: shortAddress(address) })}
        </Note>
      )}
      <Submit
        state={failed?.error instanceof TooManyNamesError ? 'owned' : state}
        label={label}
        problem={problem}
        again={failed && (isUnsent ? 'names.tryAgain' : 'names.signAgain')}
        onSubmit={submit}
        onCheck={() => void check.refetch()}
        onAccount={() => reset(kit, { name: 'Account' })}
      />
      {state === 'available' && !failed && <p className="gf-footer">{t('names.once')}</p>}
    </form>
  )
}

/** The button; its label states what is missing. */
function Submit(props: {
  state: 'owned' | 'problem' | 'notChecked' | 'checking' | 'available' | 'registered'
  label: string
  problem: ReturnType<typeof findLabelProblem>
  /** The text after a failure. */
  again: 'names.tryAgain' | 'names.signAgain' | undefined
  onSubmit: () => void
  onCheck: () => void
  onAccount: () => void
}) {
  const t = useText(namesText)
  switch (props.state) {
    case 'owned':
      return (
        <Button kind="primary" onClick={props.onAccount}>
          {t('names.toAccount')}
        </Button>
      )
    case 'problem':
      return (
        <Button kind="primary" disabled>
          {t(
            props.label === ''
              ? 'names.needName'
              : props.problem === 'short'
                ? 'names.needLonger'
                : 'names.needOther',
          )}
        </Button>
      )
    case 'notChecked':
      return (
        <Button kind="primary" icon={retry} onClick={props.onCheck}>
          {t('names.checkAgain')}
        </Button>
      )
    case 'checking':
      return <Button busy>{t('names.busy')}</Button>
    case 'available':
      return (
        <Button kind="primary" onClick={props.onSubmit}>
          {t(props.again ?? 'names.register')}
        </Button>
      )
    case 'registered':
      return (
        <Button kind="primary" disabled>
          {t('names.pick')}
        </Button>
      )
  }
}

function NameRow(props: {
  name: string
  note?: string
  icon?: string
  isAvailable?: boolean
  onClick?: () => void
}) {
  const t = useText(namesText)
  return (
    <Row
      start={<Artwork shape="round" icon={props.icon ?? tag} />}
      title={props.name}
      note={props.note}
      end={
        props.isAvailable ? (
          <Tag kind="good">{t('names.available')}</Tag>
        ) : (
          <Tag>{t('names.registered')}</Tag>
        )
      }
      {...(props.onClick && { onClick: props.onClick })}
    />
  )
}

/** The request in the wallet, and the registration. */
function Progress(props: { run: Exclude<NameRun, Failed>; onCancel: () => void }) {
  const { run, onCancel } = props
  const t = useText(namesText)
  const { wallet, first } = useWalletName()
  const { connector } = useKitAccount()
  const art = useWalletArt(connector)
  const link = useKitState((state) => getSession(state, connector?.id)?.requestLink)
  const { name, address } = run
  const isSilent = run.status === 'wallet' && run.isSilent
  const [title, hint] =
    run.status === 'registering'
      ? [t('names.registering', { name }), t('names.registeringHint')]
      : isSilent
        ? [t('names.silent', { wallet: first }), t('names.silentHint')]
        : [t('names.sign', { name }), t('names.signHint', { wallet })]
  return (
    <div className="gf-body">
      <Style css={css} />
      <FacingPages
        state={isSilent ? 'late' : 'wait'}
        from={{
          name: shortAddress(address),
          shape: 'round',
          children: <AddressAvatar address={address} />,
        }}
        to={art}
      />
      <Message role={isSilent ? 'alert' : 'status'} title={title}>
        {hint}
      </Message>
      {run.status === 'wallet' && (
        <>
          <Facts>
            <Fact label={t('names.pointsTo')}>
              <bdi dir="ltr">{shortAddress(address)}</bdi>
            </Fact>
            <Fact label={t('names.price')}>{t('names.priceFree')}</Fact>
          </Facts>
          <div className="gf-name-buttons">
            <Button onClick={onCancel}>{t('names.cancel')}</Button>
            {link ? (
              <Button kind="primary" icon={external} onClick={() => openLink(link.href, link)}>
                {t('names.open', { wallet })}
              </Button>
            ) : (
              <Button busy>{t('names.waiting')}</Button>
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** The typed or pasted text, without the zone. */
function toLabel(text: string, zone: string): string {
  const label = text.trim().toLowerCase()
  return label.endsWith(`.${zone}`) ? label.slice(0, -zone.length - 1) : label
}

/**
 * The label with invalid characters replaced by hyphens; undefined if the
 * result is still not a valid name.
 */
function toSimilarLabel(label: string): string | undefined {
  const similar = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return similar === label || findLabelProblem(similar) ? undefined : similar
}

/** The first invalid character of a label; a space is returned as its symbol. */
function wrongCharacter(label: string): string {
  const [character = ''] = label.match(/[^a-z0-9-]/u) ?? []
  return character === ' ' ? '␣' : character
}

/** Whether the signature can be sent again. */
function isUnknown(error: unknown): boolean {
  return !rules.some(([type]) => error instanceof type)
}

/** The text of each error that has a specific message. */
const rules = [
  [UserRejectedError, 'declined'],
  [NameTakenError, 'taken'],
  [TooManyNamesError, 'tooMany'],
  [NameExpiredError, 'expired'],
  [NameClockError, 'clock'],
  [NameSignatureError, 'wrongSigner'],
  [NameAccountChangedError, 'changed'],
] as const

function reasonOf(
  error: unknown,
  t: Translate<typeof namesText>,
  values: { wallet: string; address: string },
): string {
  const rule = rules.find(([type]) => error instanceof type)
  if (rule) return t(`names.${rule[1]}`, { ...values, n: limits.nameMessageSeconds / 60 })
  const { shortMessage, message } = error as { shortMessage?: string; message?: string }
  return t('names.failed', { reason: shortMessage ?? message ?? '' })
}
