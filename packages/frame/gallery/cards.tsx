/** @jsxImportSource preact */
import type { FrameUser, KeyWrap } from '@gatefold/protocol/frame'
import type { VNode } from 'preact'
import { WindowCard } from '../src/approval/WindowCard.tsx'
import { ConfirmCard } from '../src/recovery/ConfirmCard.tsx'
import { AloneCard } from '../src/recovery/AloneCard.tsx'
import { OfferCard } from '../src/recovery/OfferCard.tsx'
import { PasskeyCard } from '../src/recovery/PasskeyCard.tsx'
import { ProtectCard } from '../src/recovery/ProtectCard.tsx'
import { RestoreCard, type CardContext } from '../src/recovery/RestoreCard.tsx'
import { origin, site } from './scenes.ts'

/** Without a server: the buttons report that they do not work. */
export const context: CardContext = {
  api: new Proxy({} as CardContext['api'], { get: () => refuse }),
  wallet: new Proxy({} as CardContext['wallet'], { get: () => refuse }),
  stretch: refuse,
  site,
  projectId: 'default',
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('The gallery has no server.'))
}

export const user: FrameUser = {
  id: 'user',
  email: 'ada@example.com',
  userName: null,
  epoch: 1,
  needsCode: false,
  wallet: null,
  recovery: {
    recoveryId: 'recovery',
    version: 1,
    isAutomatic: true,
    wrapsHash: '',
    publicKey: null,
    signature: null,
    isOutdated: false,
    passkeys: 0,
    hasPassword: false,
  },
}

export const wraps: KeyWrap[] = [
  {
    method: 'passkey',
    name: 'Mac',
    createdAt: 0,
    credentialId: 'passkey',
    wrapped: 'wrapped',
  },
  {
    method: 'password',
    createdAt: 0,
    salt: 'salt',
    memoryKib: 65_536,
    passes: 3,
    lanes: 1,
    wrapped: 'wrapped',
  },
]

const locked = {
  user,
  recoveryId: 'recovery',
  version: 1,
  wraps,
  isAutomatic: false,
  publicKey: null,
  signature: null,
}
const close = () => document.documentElement.setAttribute('data-answer', 'closed')

/** One scene for each card of the frame that is not an approval. */
export const cards: Readonly<Record<string, () => VNode>> = {
  offer: () => <OfferCard context={context} user={user} done={close} />,
  alone: () => (
    <AloneCard
      context={context}
      locked={{ recoveryId: 'recovery', userId: user.id, wraps }}
      maySeePasskeys
      onKey={() => {}}
      done={close}
      cancel={close}
    />
  ),
  window: () => (
    <WindowCard
      pending={{
        id: 1,
        origin,
        kind: 'approval',
        statement: undefined,
        change: undefined,
        limit: () => {},
        approve: () => {},
        reject: close,
      }}
      waiting={0}
      site={site}
      approvalWindow={{ open: () => false, isOpen: () => false, focus: () => {}, show: () => {} }}
    />
  ),
  confirm: () => (
    <ConfirmCard context={context} user={user} origin={origin} done={close} cancel={close} />
  ),
  confirmSocial: () => (
    <ConfirmCard
      context={context}
      user={{ ...user, email: null }}
      origin={origin}
      done={close}
      cancel={close}
    />
  ),
  protect: () => (
    <ProtectCard
      context={context}
      user={user}
      methods={['passkey', 'password']}
      maySeePasskeys
      done={close}
      cancel={close}
    />
  ),
  protectNone: () => (
    <ProtectCard
      context={context}
      user={user}
      methods={['passkey']}
      maySeePasskeys={false}
      done={close}
      cancel={close}
    />
  ),
  restoreNone: () => (
    <RestoreCard
      {...{
        context,
        locked: { ...locked, wraps: [] },
        maySeePasskeys: true,
        done: close,
        cancel: close,
      }}
    />
  ),
  restore: () => (
    <RestoreCard {...{ context, locked, maySeePasskeys: true, done: close, cancel: close }} />
  ),
  passkey: () => (
    <PasskeyCard
      {...{ context, origin, methods: [], maySeePasskeys: true, done: close, cancel: close }}
    />
  ),
}
