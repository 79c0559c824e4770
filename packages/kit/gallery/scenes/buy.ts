import { connect } from '../../src/core/connection/connect.ts'
import { push } from '../../src/core/view/navigate.ts'
import type { BuyArguments, ViewEntry } from '../../src/core/view/ViewData.ts'
import { setWindow } from '../../src/ui/views/buy/windows.ts'
import { halyard } from './connectors.ts'
import type { Scene, Scenes } from './Scene.ts'

const base: Partial<Scene> = {
  connectors: [halyard],
  addresses: ['0x9f3C2a7B61e04D5580cA9E17fF3b62d0A84cb41E'],
}

/** Connects the wallet and opens a view on top of the account view. */
const open = (entry: ViewEntry, more: Partial<Scene> = {}): Scene => ({
  ...base,
  ...more,
  async show(kit, control) {
    await connect(kit, { connectorId: halyard.id })
    await more.show?.(kit, control)
    void kit.open({ view: 'Account' })
    push(kit, { ...entry })
  },
})
const buy = (data: BuyArguments = { amount: '250' }, more?: Partial<Scene>) =>
  open({ name: 'OnRampProviders', data }, more)

/** The view of an order in a state of the mock gateway. */
const progress = (state: string, more?: Partial<Scene>) =>
  open({ name: 'BuyInProgress', data: { orderId: `order-${state}-scene` } }, more)

const shown = { closed: false, close() {}, focus() {} }

/**
 * Scenes of the buy views. In `BuyInProgress.closed`, the window was opened
 * before a reload.
 */
export const buyScenes: Scenes = {
  OnRampProviders: buy(),
  'OnRampProviders.bank': buy({ amount: '25000', method: 'ach_bank_account', currency: 'EUR' }),
  'OnRampProviders.tooLittle': buy({ amount: '5', currency: 'EUR' }),
  'OnRampProviders.tooMuch': buy({ amount: '9000' }),
  'OnRampProviders.decimals': buy({ amount: '25.001' }),
  'OnRampProviders.empty': buy({ amount: '' }),
  'OnRampProviders.none': buy({ amount: '250', token: 'MOS', currency: 'CHF' }),
  'OnRampProviders.yen': buy({ amount: '250', token: 'FLD', currency: 'JPY' }),
  'OnRampProviders.unavailable': buy(undefined, { gateway: 'noOnramp' }),
  'OnRampProviders.loading': buy(undefined, { gateway: 'never' }),
  'OnRampProviders.failed': buy(undefined, { gateway: 'dead' }),
  'OnRampProviders.noPrices': buy(undefined, { gateway: 'noPrices' }),
  'OnRampProviders.expiredQuote': buy(undefined, { gateway: 'expiredQuote' }),
  'OnRampProviders.tooManyOrders': buy(undefined, { gateway: 'tooManyOrders' }),
  OnRampFiatSelect: open({ name: 'OnRampFiatSelect', data: { purchase: { currency: 'USD' } } }),
  'OnRampFiatSelect.loading': open({ name: 'OnRampFiatSelect' }, { gateway: 'never' }),
  'OnRampFiatSelect.failed': open({ name: 'OnRampFiatSelect' }, { gateway: 'dead' }),
  OnRampTokenSelect: open({ name: 'OnRampTokenSelect', data: { purchase: { token: 'eip155:1' } } }),
  'OnRampTokenSelect.loading': open({ name: 'OnRampTokenSelect' }, { gateway: 'never' }),
  'OnRampTokenSelect.failed': open({ name: 'OnRampTokenSelect' }, { gateway: 'dead' }),
  WhatIsABuy: open({ name: 'WhatIsABuy' }),
  BuyInProgress: progress('created', {
    show: (kit) => setWindow(kit, 'order-created-scene', shown),
  }),
  'BuyInProgress.closed': progress('created'),
  'BuyInProgress.blocked': progress('created', {
    show: (kit) => setWindow(kit, 'order-created-scene', undefined),
  }),
  'BuyInProgress.pending': progress('pending'),
  'BuyInProgress.slow': progress('slow'),
  'BuyInProgress.paid': progress('paid'),
  'BuyInProgress.short': progress('short'),
  'BuyInProgress.failed': progress('failed'),
  'BuyInProgress.expired': progress('expired'),
  'BuyInProgress.gone': progress('gone'),
  'BuyInProgress.loading': progress('created', { gateway: 'never' }),
  'BuyInProgress.unchecked': progress('created', { gateway: 'dead' }),
}
