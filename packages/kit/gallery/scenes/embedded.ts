import type { CardKind } from '@gatefold/protocol/frame'
import type { EIP1193Provider } from 'viem'

import { embeddedId } from '../../src/connectors/embeddedWallet/id.ts'
import { embeddedOf } from '../../src/connectors/embeddedWallet/embedded.ts'
import type { EmbeddedConnector } from '../../src/connectors/embeddedWallet/embedded.ts'
import type { LoginMethod } from '../../src/connectors/embeddedWallet/loginRecords.ts'
import { startCooldown } from '../../src/connectors/embeddedWallet/loginRecords.ts'
import { connect } from '../../src/core/connection/connect.ts'
import type { KitInstance } from '../../src/core/kit/Kit.ts'
import { push } from '../../src/core/view/navigate.ts'
import type { ViewEntry } from '../../src/core/view/view.ts'
import { startSocial } from '../../src/ui/views/embeddedWallet/socials.ts'
import { halyard, nacre } from './connectors.ts'
import { replaceProperty } from './replaceProperty.ts'
import type { Control, Scene, Scenes } from './Scene.ts'

const email = 'mira@north.example'
const base = { frame: true, connectors: [halyard, nacre] }
const socials = ['google', 'x', 'farcaster', 'discord', 'apple', 'github', 'facebook']

/** Types into the field on screen, and submits its form or, if it has none, the complete code. */
async function type(text: string): Promise<void> {
  const field = await new Promise<HTMLInputElement>((resolve) => {
    const find = () => {
      const found = document.querySelector<HTMLInputElement>(
        '[data-gatefold] :is(.gf-code, form) input',
      )
      if (found) resolve(found)
      else requestAnimationFrame(find)
    }
    find()
  })
  // React overrides the setter of the element.
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
  value.set!.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.form?.requestSubmit()
}

/** A scene before the login. */
const before = (
  entry: ViewEntry,
  options: Partial<Scene> & { reply?: (control: Control) => void; text?: string } = {},
): Scene => ({
  ...base,
  ...options,
  async show(kit, control) {
    options.reply?.(control)
    void kit.open({ view: 'Connect' })
    if (entry.name !== 'Connect') push(kit, { ...entry })
    if (options.text) await type(options.text)
  },
})

/** A scene of a login in a window. */
const social = (popup: object | null, reply?: (control: Control) => void): Scene => ({
  ...base,
  prepare: () => replaceProperty(window, 'open', () => popup),
  show(kit, control) {
    reply?.(control)
    void kit.open({ view: 'Connect' })
    startSocial(kit, 'google')
  },
})
const openPopup = () => ({ closed: false, close() {}, focus() {}, location: {} })

/** A scene of a visitor who is logged in. */
const after = (
  entry: ViewEntry,
  options: { reply?: (control: Control) => void; text?: string; method?: LoginMethod } = {},
): Scene => ({
  ...base,
  async show(kit, control) {
    options.reply?.(control)
    await logIn(kit, options.method)
    void kit.open({ view: 'Account' })
    push(kit, { ...entry })
    if (options.text) await type(options.text)
  },
})

/** The login that precedes a connection; it determines the wallet's name. */
const logInBy: Record<string, (embedded: EmbeddedConnector) => Promise<unknown>> = {
  email: ({ client }) => client.use((it) => it.enterCode('407193')),
  passkey: ({ client }) => client.use((it) => it.connectPasskey(new AbortController().signal)),
  google: ({ client }) =>
    client.use(async (it) => it.keepSocial('google', 'https://frame.example')),
}

async function logIn(kit: KitInstance, method: LoginMethod = 'email'): Promise<void> {
  await kit.ready()
  await logInBy[method]?.(embeddedOf(kit)!)
  await connect(kit, { connectorId: embeddedId })
}

/** What the frame shows for a request, or before it. */
const framed = (kind: CardKind, height = 280): Scene => ({
  ...base,
  async show(kit, control) {
    control.frame.card = { height, kind }
    await logIn(kit)
    const session = await kit.connectors.get(embeddedId)!.restore()
    const provider = (await session!.provider('eip155')) as EIP1193Provider
    provider
      .request({
        method: 'personal_sign',
        params: ['0x48', (await provider.request({ method: 'eth_accounts' }))[0]!],
      })
      .catch(() => {}) // the visitor closes the view
  },
})

const otp: ViewEntry = { name: 'EmailVerifyOtp', data: { email } }
const device: ViewEntry = { name: 'EmailVerifyDevice', data: { email } }
const replyOf = (name: string, reply: unknown) => (control: Control) =>
  void (control.frame.replies[name] = reply)
const failing = (name: string, code: string) => (control: Control) =>
  void (control.frame.replies[name] = control.frame.failsWith(code))

const user = { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', chainId: 1 }
/** A wallet with only a passkey. */
const byPasskey = (control: Control) => {
  control.frame.card = undefined
  Object.assign(control.frame.replies, { CONNECT_PASSKEY: undefined, GET_USER: user })
}

/** A wallet with both accounts on Ethereum. */
const withSmartAccount = (type: 'eoa' | 'smartAccount') => (control: Control) => {
  const accounts = [
    { type: 'eoa', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
    { type: 'smartAccount', address: '0xd12fF848720784aaaeb6Fe93381FaF0b78107F54' },
  ]
  const { address } = accounts.find((account) => account.type === type)!
  Object.assign(control.frame.replies, {
    GET_SMART_ACCOUNT_ENABLED_NETWORKS: { smartAccountEnabledNetworks: [1] },
    GET_USER: { email, address, chainId: 1, accounts, preferredAccountType: type },
    SET_PREFERRED_ACCOUNT() {
      withSmartAccount(type === 'eoa' ? 'smartAccount' : 'eoa')(control)
      return { type, address }
    },
  })
}

/** Scenes of email and social logins. */
export const embeddedScenes: Scenes = {
  'Connect.email': before(
    { name: 'Connect' },
    { options: { features: { socials: ['google', 'github'] } } },
  ),
  'Connect.emailFirst': before(
    { name: 'Connect' },
    {
      options: {
        features: {
          socials,
          connectMethodsOrder: ['email', 'social', 'wallet'],
          collapseWallets: true,
        },
      },
    },
  ),
  'Connect.passkey': before(
    { name: 'Connect' },
    { options: { features: { socials, passkey: true } } },
  ),
  'Connect.emailSending': before(
    { name: 'Connect' },
    {
      reply: (control) => void (control.frame.replies['CONNECT_EMAIL'] = control.frame.never),
      text: email,
    },
  ),
  'Connect.emailWrong': before({ name: 'Connect' }, { text: 'mira@north' }),
  ConnectSocials: before({ name: 'ConnectSocials' }, { options: { features: { socials } } }),
  EmailLogin: before({ name: 'EmailLogin' }),
  'EmailLogin.tooSoon': {
    ...base,
    async show(kit) {
      startCooldown()
      void kit.open({ view: 'EmailLogin' })
      await type(email)
    },
  },
  'EmailLogin.notLoaded': before(
    { name: 'EmailLogin' },
    { reply: failing('CONNECT_EMAIL', 'frame.load_failed'), text: email },
  ),
  EmailVerifyOtp: before(otp),
  'EmailVerifyOtp.typing': before(otp, { text: '407' }),
  'EmailVerifyOtp.checking': before(otp, {
    reply: (control) => void (control.frame.replies['CONNECT_OTP'] = control.frame.never),
    text: '407193',
  }),
  'EmailVerifyOtp.wrong': before(otp, {
    reply: failing('CONNECT_OTP', 'code_wrong'),
    text: '407119',
  }),
  'EmailVerifyOtp.expired': before(otp, {
    reply: failing('CONNECT_OTP', 'code_expired'),
    text: '407119',
  }),
  EmailVerifyDevice: before(device),
  'EmailVerifyDevice.failed': before(device, { reply: failing('CONNECT_DEVICE', 'frame.timeout') }),
  ConnectingPasskey: before({ name: 'ConnectingPasskey' }),
  'ConnectingPasskey.opening': before(
    { name: 'ConnectingPasskey' },
    { reply: (control) => void (control.frame.card = undefined) },
  ),
  'ConnectingPasskey.done': before(
    { name: 'ConnectingPasskey' },
    {
      reply(control) {
        control.frame.card = undefined
        control.frame.replies['CONNECT_PASSKEY'] = undefined
        control.frame.replies['GET_USER'] = control.frame.never
      },
    },
  ),
  'ConnectingPasskey.closed': before(
    { name: 'ConnectingPasskey' },
    { reply: failing('CONNECT_PASSKEY', 'frame.rejected') },
  ),
  'ConnectingPasskey.timedOut': before(
    { name: 'ConnectingPasskey' },
    { reply: failing('CONNECT_PASSKEY', 'frame.timeout') },
  ),
  'ConnectingPasskey.failed': before(
    { name: 'ConnectingPasskey' },
    { reply: failing('CONNECT_PASSKEY', 'frame.load_failed') },
  ),
  'ConnectingPasskey.notOffered': before(
    { name: 'ConnectingPasskey' },
    { reply: failing('CONNECT_PASSKEY', 'not_offered') },
  ),
  ConnectingSocial: social(openPopup()),
  'ConnectingSocial.leaving': {
    ...social(null),
    prepare: () => replaceProperty(window, 'TelegramWebviewProxy', {}),
  },
  'ConnectingSocial.returned': {
    ...base,
    prepare: () => replaceProperty(window, 'TelegramWebviewProxy', {}),
    show(kit) {
      void kit.open({ view: 'Connect' })
      startSocial(kit, 'google')
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    },
  },
  'ConnectingSocial.blocked': social(null),
  'ConnectingSocial.closed': social({ ...openPopup(), closed: true }),
  'ConnectingSocial.failed': social(
    openPopup(),
    failing('GET_SOCIAL_REDIRECT_URI', 'frame.social'),
  ),
  'ConnectingSocial.declined': social(
    openPopup(),
    failing('GET_SOCIAL_REDIRECT_URI', 'social_declined'),
  ),
  'ConnectingSocial.expired': social(
    openPopup(),
    failing('GET_SOCIAL_REDIRECT_URI', 'social_expired'),
  ),
  'ConnectingSocial.unavailable': social(
    openPopup(),
    failing('GET_SOCIAL_REDIRECT_URI', 'social_unavailable'),
  ),
  'ConnectingSocial.timedOut': social(
    openPopup(),
    failing('GET_SOCIAL_REDIRECT_URI', 'frame.timeout'),
  ),
  ConnectingFarcaster: before({ name: 'ConnectingFarcaster' }),
  'ConnectingFarcaster.creating': before(
    { name: 'ConnectingFarcaster' },
    { reply: (control) => void (control.frame.replies['GET_FARCASTER_URI'] = control.frame.never) },
  ),
  'ConnectingFarcaster.failed': before(
    { name: 'ConnectingFarcaster' },
    { reply: failing('CONNECT_FARCASTER', 'frame.rejected') },
  ),
  ApproveTransaction: framed('approval'),
  'ApproveTransaction.alone': framed('alone', 260),
  'ApproveTransaction.confirm': framed('confirm', 260),
  'ApproveTransaction.message': framed('message'),
  'ApproveTransaction.offer': framed('offer', 340),
  'ApproveTransaction.protect': framed('protect', 400),
  'ApproveTransaction.restore': framed('restore', 320),
  'ApproveTransaction.signIn': framed('signIn'),
  'ApproveTransaction.typedData': framed('typedData'),
  AccountSettings: after({ name: 'AccountSettings' }),
  'AccountSettings.smart': after(
    { name: 'AccountSettings' },
    { reply: withSmartAccount('smartAccount') },
  ),
  'AccountSettings.standard': after(
    { name: 'AccountSettings' },
    { reply: withSmartAccount('eoa') },
  ),
  'AccountSettings.social': after(
    { name: 'AccountSettings' },
    { method: 'google', reply: replyOf('CONNECT_SOCIAL', { ...user, userName: 'Mira' }) },
  ),
  'AccountSettings.passkey': after(
    { name: 'AccountSettings' },
    { method: 'passkey', reply: byPasskey },
  ),
  'ProfileWallets.email': after({ name: 'ProfileWallets' }),
  'ProfileWallets.social': after(
    { name: 'ProfileWallets' },
    { method: 'google', reply: replyOf('CONNECT_SOCIAL', { ...user, userName: 'Mira' }) },
  ),
  'ProfileWallets.passkey': after(
    { name: 'ProfileWallets' },
    { method: 'passkey', reply: byPasskey },
  ),
  UpdateEmailWallet: after({ name: 'UpdateEmailWallet' }),
  'UpdateEmailWallet.taken': after(
    { name: 'UpdateEmailWallet' },
    { reply: failing('UPDATE_EMAIL', 'email_taken'), text: 'tomas@north.example' },
  ),
  UpdateEmailPrimaryOtp: after({
    name: 'UpdateEmailPrimaryOtp',
    data: { email: 'mira@archive.example' },
  }),
  UpdateEmailSecondaryOtp: after(
    { name: 'UpdateEmailSecondaryOtp', data: { email: 'mira@archive.example' } },
    { reply: failing('UPDATE_EMAIL_SECONDARY_OTP', 'code_wrong'), text: '811942' },
  ),
}
