/** @jsxImportSource preact */
import type { AuditEntry, FrameDevice, FrameUser, MethodsResponse } from '@gatefold/protocol/frame'
import type { VNode } from 'preact'
import { LoginSheet } from '../src/pages/LoginSheet.tsx'
import { ApprovePage } from '../src/pages/ApprovePage.tsx'
import { RestorePage } from '../src/pages/RestorePage.tsx'
import { Settings } from '../src/pages/Settings.tsx'
import type { FrameConfig } from '../src/config.ts'
import type { CardContext } from '../src/recovery/RestoreCard.tsx'
import { context as offline, user as known, wraps } from './cards.tsx'
import { origin, site } from './scenes.ts'

const at = Date.UTC(2026, 0, 14, 9, 30)

const devices: FrameDevice[] = [
  { id: 'a', name: 'Chrome, Mac', origin: site, lastUsedAt: at, isThis: true },
  { id: 'b', name: 'Safari, iPhone', origin, lastUsedAt: at, isThis: false },
] as FrameDevice[]

const entries = ['login_new_device', 'recovery', 'recovery_changed', 'backup_saved'].map(
  (event, index) => ({ at: at - index * 86_400_000, event, deviceName: 'Chrome, Mac', origin }),
) as AuditEntry[]

const methods = { recoveryId: 'recovery', version: 1, wraps, isAutomatic: false } as MethodsResponse

const replies: Record<string, unknown> = {
  'login/email': { action: 'VERIFY_OTP', loginId: 'login' },
  devices: { devices },
  audit: { entries },
  'wallet/methods': methods,
  'export/code': { confirmId: 'confirm' },
  'audit/export': {},
  'handover/open': {
    ...methods,
    userId: known.id,
    publicKey: 'BEXkJ1EV2uTG4wrwr9xH1UhjS4YPsCqyzYu5qJQBpQKZ',
    deviceName: 'Firefox, Windows',
    origin,
  },
}

const reply = (path: string) =>
  path in replies
    ? Promise.resolve(replies[path])
    : Promise.reject(new Error('The gallery has no server.'))

const context = {
  ...offline,
  api: { open: reply, send: reply },
  wallet: {
    phrase: () => Promise.resolve('test test test test test test test test test test test junk'),
  },
} as unknown as CardContext

const config: FrameConfig = {
  version: '1',
  projectId: 'default',
  origins: [],
  chains: [],
  recovery: ['passkey', 'password', 'automatic'],
  passkeyLogin: true,
}

const user: FrameUser = {
  ...known,
  wallet: {
    eip155: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    solana: '9aE476sH92Vz7DMPyq5WLPkrKWivxeuTKEFKd2sZZcde',
  } as FrameUser['wallet'],
  recovery: { ...known.recovery!, isAutomatic: true, passkeys: 2, hasPassword: true },
}

const settings = (shown: FrameUser) => (
  <Settings
    context={context}
    config={config}
    user={shown}
    reload={() => Promise.resolve()}
    signOut={() => Promise.resolve()}
  />
)

const page = (content: VNode) => <main class="page">{content}</main>

/** One for each page of the frame's origin. */
export const pages: Readonly<Record<string, () => VNode>> = {
  login: () =>
    page(
      <LoginSheet
        context={context}
        hasPasskeys
        methods={[]}
        needsLink={false}
        onLogin={() => {}}
      />,
    ),
  settings: () => page(settings(user)),
  settingsWithoutEmail: () => page(settings({ ...user, email: null })),
  handover: () => <RestorePage context={context} token="token" />,
  lost: () => <ApprovePage site={site} />,
}
