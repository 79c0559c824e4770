import { connect } from '../../src/core/connection/connect.ts'
import { push } from '../../src/core/view/navigate.ts'
import type { SwapArguments, ViewEntry } from '../../src/core/view/ViewData.ts'
import { halyard } from './connectors.ts'
import type { Scene, Scenes } from './Scene.ts'

const base: Partial<Scene> = {
  connectors: [halyard],
  addresses: ['0x9f3C2a7B61e04D5580cA9E17fF3b62d0A84cb41E'],
}

const toFold: SwapArguments = { toToken: 'FLD', amount: '0.2' }
const fromQuill: SwapArguments = { fromToken: 'QLL', toToken: 'ETH', amount: '100' }

/** Connects the wallet and opens a view on top of the account view. */
const open = (entry: ViewEntry, more: Partial<Scene> = {}): Scene => ({
  ...base,
  ...more,
  async show(kit) {
    await connect(kit, { connectorId: halyard.id })
    void kit.open({ view: 'Account' })
    push(kit, { ...entry })
  },
})
const swap = (data?: SwapArguments, more?: Partial<Scene>) => open({ name: 'Swap', data }, more)
const preview = (more: Partial<Scene> = {}, data: SwapArguments = toFold): Scene => {
  const all: Required<SwapArguments> = {
    fromToken: 'ETH',
    toToken: 'FLD',
    amount: '1',
    slippage: 100,
    deadline: 20,
    ...data,
  }
  const scene = open({ name: 'SwapPreview', data: { swap: all } }, more)
  return {
    ...scene,
    async show(kit, control) {
      await connect(kit, { connectorId: halyard.id })
      void kit.open({ view: 'Account' })
      push(kit, { name: 'Swap', data })
      push(kit, { name: 'SwapPreview', data: { swap: all } })
      await more.show?.(kit, control)
    },
  }
}

/**
 * Scenes of the swap views. In `SwapPreview.*`, the visitor still has to press
 * the button.
 */
export const swapScenes: Scenes = {
  Swap: swap(toFold),
  'Swap.empty': swap(),
  'Swap.notEnough': swap({ amount: '4', toToken: 'FLD' }),
  'Swap.token': swap(fromQuill),
  'Swap.decimals': swap({ fromToken: 'QLL', toToken: 'ETH', amount: '1.0000000000000000001' }),
  'Swap.noRoute': swap(toFold, { gateway: 'noRoute' }),
  'Swap.lowLiquidity': swap(toFold, { gateway: 'shallow' }),
  'Swap.impact': swap(toFold, { gateway: 'thin' }),
  'Swap.loading': swap(toFold, { gateway: 'never' }),
  'Swap.failed': swap(toFold, { gateway: 'dead' }),
  'UnsupportedChain.noSwaps': swap(toFold, { gateway: 'noSwaps' }),
  'SwapSelectToken.pay': open({
    name: 'SwapSelectToken',
    data: { side: 'fromToken', swap: toFold },
  }),
  SwapSelectToken: open({ name: 'SwapSelectToken', data: { side: 'toToken', swap: toFold } }),
  'SwapSelectToken.none': open(
    { name: 'SwapSelectToken', data: { side: 'fromToken', swap: {} } },
    { gateway: 'empty' },
  ),
  'SwapSelectToken.loading': open(
    { name: 'SwapSelectToken', data: { side: 'toToken', swap: {} } },
    { gateway: 'never' },
  ),
  'SwapSelectToken.failed': open(
    { name: 'SwapSelectToken', data: { side: 'toToken', swap: {} } },
    { gateway: 'dead' },
  ),
  SwapPreview: preview(),
  'SwapPreview.loading': preview({ gateway: 'never' }),
  'SwapPreview.approval': preview({}, fromQuill),
  'SwapPreview.permit': preview(
    {
      prepare: (control) =>
        void Object.assign(control, {
          permit: { domain: { name: 'Quill', version: '1', chainId: 1 }, nonce: 0n },
          typedSignature: `0x${'1b'.repeat(65)}`,
        }),
    },
    fromQuill,
  ),
  'SwapPreview.batch': preview(
    { prepare: (control) => void Object.assign(control, { atomic: 'supported' }) },
    fromQuill,
  ),
  'SwapPreview.reset': preview({ gateway: 'reset' }, fromQuill),
  'SwapPreview.batchWithReset': preview(
    {
      gateway: 'reset',
      prepare: (control) => void Object.assign(control, { atomic: 'supported' }),
    },
    fromQuill,
  ),
  'SwapPreview.impact': preview({ gateway: 'thin' }),
  'SwapPreview.highImpact': preview({ gateway: 'steep' }),
  'SwapPreview.moved': preview({ gateway: 'moved' }),
  'SwapPreview.unlimited': preview({ gateway: 'unlimited' }, fromQuill),
  'SwapPreview.revert': preview({ gateway: 'revert' }),
}
