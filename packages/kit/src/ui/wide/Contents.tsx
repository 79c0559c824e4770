import { useMemo } from 'react'

import type { KitInstance } from '../../core/kit/Kit.ts'
import { currentView } from '../../core/view/view.ts'
import type { ViewEntry, ViewState } from '../../core/view/view.ts'
import { walletOf } from '../../core/view/walletOf.ts'
import type { WalletRow } from '../../core/wallets/walletRows.ts'
import { KitContext, useKitContext, useKitState } from '../../react/context.ts'
import { useText } from '../hooks/useText.ts'
import { ChosenRow } from '../parts/WalletList.tsx'
import { cardText, titleOf } from '../views.ts'
import { Connect } from '../views/connect/Connect.tsx'

/**
 * The page on the left: the connect methods. A choice changes the page on the
 * right.
 */
export function Contents({ view, titleId }: { view: ViewState; titleId: string }) {
  const context = useKitContext()
  const t = useText(cardText)
  const [, opened] = view.history
  const announced = useKitState((state) => (opened ? titleOf(currentView(view), state, t) : ''))
  const inner = useMemo(() => ({ ...context, kit: withReplacingRows(context.kit) }), [context])
  const chosen = useMemo(
    () => (row?: WalletRow) => Boolean(opened && isOpenedBy(opened, row)),
    [opened],
  )
  return (
    <section className="gf-contents" aria-labelledby={titleId}>
      <h2 id={titleId} className="gf-contents-title">
        {t('title.Connect')}
      </h2>
      <KitContext.Provider value={inner}>
        <ChosenRow.Provider value={chosen}>
          <Connect />
        </ChosenRow.Provider>
      </KitContext.Provider>
      {/* The focus stays in the list, so screen readers need a message about the other page. */}
      <p className="gf-hidden" role="status">
        {announced}
      </p>
    </section>
  )
}

/**
 * The instance for the rows of the list. A view that a row opens replaces the one on the right, instead of being
 * pushed onto the history. A pending request of the replaced view is aborted.
 */
function withReplacingRows(kit: KitInstance): KitInstance {
  const dispatch: KitInstance['dispatch'] = (event) => {
    const { view, attempt } = kit.getState()
    const top = currentView(view)
    const [list] = view.history
    if (event.type === 'view.pushed' && list && view.history.length > 1) {
      if (top.name === 'ConnectingExternal' && attempt?.connectorId === top.data.connectorId)
        kit.dispatch({ type: 'attempt.changed', attempt: undefined })
      kit.dispatch({ type: 'view.reset', entry: list })
    }
    kit.dispatch(event)
  }
  return Object.create(kit, { dispatch: { value: dispatch } }) as KitInstance
}

/**
 * Whether the given row opens this view; if no row is given, whether the row
 * for all wallets does.
 */
function isOpenedBy(entry: ViewEntry, row: WalletRow | undefined): boolean {
  if (!row || entry.name === 'AllWallets') return !row && entry.name === 'AllWallets'
  const wallet = walletOf(entry)
  if ('wallet' in row) return row.wallet.id === wallet?.id
  if (entry.name === 'ConnectingExternal') return row.connector.id === entry.data.connectorId
  return !wallet && entry.name === row.connector.view
}
