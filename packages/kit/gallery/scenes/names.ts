import { connect } from '../../src/core/connection/connect.ts'
import { push } from '../../src/core/view/navigate.ts'
import type { ViewEntry } from '../../src/core/view/view.ts'
import { setDraft } from '../../src/ui/views/names/draft.ts'
import { halyard } from './connectors.ts'
import { replaceProperty } from './replaceProperty.ts'
import type { GatewayMode, Scene, Scenes } from './Scene.ts'

const addresses = [
  '0x41D0b6a93C12f07E8d5C4a1eB9f3608D2c777aC3',
  '0xa7E250C9d13B4f0A6627eB81c5f9D04aE3b711b0',
]

/** Connects a wallet without a name, then opens a view on top of the account view. */
const onTop = (
  entry: ViewEntry,
  gateway: GatewayMode = 'ok',
  before: Scene['show'] = () => {},
): Scene => ({
  connectors: [halyard],
  addresses,
  gateway,
  async show(kit, control) {
    control.signature = `0x${'51'.repeat(65)}`
    await connect(kit, { connectorId: halyard.id })
    await before(kit, control)
    void kit.open({ view: 'Account' })
    push(kit, { ...entry })
  },
})
const register = (gateway?: GatewayMode, before?: Scene['show']) =>
  onTop({ name: 'RegisterAccountName' }, gateway, before)

/** Scenes of the name views. The test types the name. */
export const namesScenes: Scenes = {
  ChooseAccountName: onTop({ name: 'ChooseAccountName' }),
  'ChooseAccountName.loading': onTop({ name: 'ChooseAccountName' }, 'never'),
  'ChooseAccountName.failed': onTop({ name: 'ChooseAccountName' }, 'dead'),
  'ChooseAccountName.none': onTop({ name: 'ChooseAccountName' }, 'noNames'),
  'ChooseAccountName.named': onTop({ name: 'ChooseAccountName' }, 'named'),
  'ChooseAccountName.longZone': onTop({ name: 'ChooseAccountName' }, 'longZone'),
  RegisterAccountName: register(),
  'RegisterAccountName.short': register('ok', (kit) => setDraft(kit, 'mir')),
  'RegisterAccountName.characters': register('ok', (kit) => setDraft(kit, 'mira_n!')),
  'RegisterAccountName.available': register('ok', (kit) => setDraft(kit, 'mira-northey')),
  'RegisterAccountName.registered': register('ok', (kit) => setDraft(kit, 'mira')),
  'RegisterAccountName.unchecked': register('unchecked', (kit) => setDraft(kit, 'mira-northey')),
  'RegisterAccountName.owned': register('named', (kit) => setDraft(kit, 'northey-archive')),
  'RegisterAccountName.loading': register('never'),
  'RegisterAccountName.failed': register('dead'),
  'RegisterAccountName.none': register('noNames'),
  'RegisterAccountName.longZone': register('longZone', (kit) => setDraft(kit, 'mira-northey')),
  'RegisterAccountName.nameTaken': register('nameTaken'),
  'RegisterAccountName.tooManyNames': register('tooManyNames'),
  'RegisterAccountName.clock': register('clock'),
  'RegisterAccountName.wrongSigner': register('wrongSigner'),
  'RegisterAccountName.nameLost': register('nameLost'),
  'RegisterAccountName.registering': register('registering'),
  'WalletSend.registeredName': onTop({
    name: 'WalletSend',
    data: { amount: '0.25', to: 'tomas.book.alt' },
  }),
  'WalletSend.nameFailed': onTop(
    { name: 'WalletSend', data: { amount: '0.25', to: 'tomas.book.alt' } },
    'unchecked',
  ),
  RegisterAccountNameSuccess: onTop({
    name: 'RegisterAccountNameSuccess',
    data: { name: 'mira-northey.book.eth' },
  }),
  'RegisterAccountNameSuccess.share': {
    ...onTop({ name: 'RegisterAccountNameSuccess', data: { name: 'mira-northey.book.eth' } }),
    prepare: () =>
      replaceProperty(
        navigator,
        'share',
        async ({ text }: ShareData) => void (document.title = text ?? ''),
      ),
  },
  'RegisterAccountNameSuccess.long': onTop({
    name: 'RegisterAccountNameSuccess',
    data: { name: 'the-lighthouse-keeper-of-the-northern-archive.my-harbor.eth' },
  }),
}
