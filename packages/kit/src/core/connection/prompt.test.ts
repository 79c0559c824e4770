import { describe, expect, test, vi } from 'vitest'

import { push } from '../view/navigate.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { useKits } from '../testing/useKits.ts'
import { connect } from './connect.ts'

const { start } = useKits()

/** A connected site whose session can ask the visitor something. */
async function connected() {
  const relay = toyConnector()
  const site = start({ connectors: [relay.factory] })
  const { kit } = site
  const connecting = connect(kit, { connectorId: 'toy.relay' })
  await expect.poll(() => relay.requests).toHaveLength(1)
  relay.approve()
  await connecting
  kit.close()
  await vi.dynamicImportSettled()
  const onDismiss = vi.fn<() => void>()
  const ask = async (data?: { provider: string }) => {
    const view = data ? 'ConnectingSocial' : 'ApproveTransaction'
    const close = relay.prompt({ view, ...(data && { data }), onDismiss })
    await vi.advanceTimersByTimeAsync(0)
    return close
  }
  const shown = () => {
    const { open, history } = kit.getState().view
    return open ? history.map(({ name }) => name) : undefined
  }
  return { kit, relay, ask, shown, onDismiss }
}

describe('a request that the visitor has to answer', () => {
  // The first test, because the others load the module.
  test('is not shown if it is withdrawn before its view is loaded', async () => {
    const relay = toyConnector()
    const { kit } = start({ connectors: [relay.factory] })
    const onDismiss = vi.fn<() => void>()
    relay.prompt({ view: 'ApproveTransaction', onDismiss })()
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(0)
    expect(kit.getState().view.open).toBe(false)
    expect(onDismiss).not.toHaveBeenCalled()
  })

  test('§4.14.1 opens the modal, which closes once the request is answered', async () => {
    const { ask, shown, onDismiss } = await connected()
    const close = await ask()
    expect(shown()).toEqual(['ApproveTransaction'])
    close()
    expect(shown()).toBeUndefined()
    expect(onDismiss).not.toHaveBeenCalled()
  })

  test('is shown over the open view, which is shown again once the request is answered', async () => {
    const { kit, ask, shown, onDismiss } = await connected()
    void kit.open()
    const close = await ask()
    expect(shown()).toEqual(['Account', 'ApproveTransaction'])
    expect(kit.getState().view.history[1]).toEqual({ name: 'ApproveTransaction' })
    close()
    expect(shown()).toEqual(['Account'])
    expect(onDismiss).not.toHaveBeenCalled()
  })

  test('can have data, whether or not the modal is open', async () => {
    const { kit, ask } = await connected()
    const data = { provider: 'google' }
    const close = await ask(data)
    const entry = { name: 'ConnectingSocial', data }
    expect(kit.getState().view.history).toEqual([entry])
    close()
    void kit.open()
    await ask(data)
    expect(kit.getState().view.history).toEqual([{ name: 'Account' }, entry])
  })

  test('§4.14.2 is dismissed once if the visitor closes the modal or goes back', async () => {
    const { kit, ask, shown, onDismiss } = await connected()
    const close = await ask()
    kit.close()
    expect(onDismiss).toHaveBeenCalledOnce()
    void kit.open()
    close()
    expect(shown()).toEqual(['Account'])
    await ask()
    kit.dispatch({ type: 'view.back' })
    expect(onDismiss).toHaveBeenCalledTimes(2)
    kit.close()
    expect(onDismiss).toHaveBeenCalledTimes(2)
  })

  test('is not dismissed by a view on top of it, which stays open once the request is answered', async () => {
    const { kit, ask, shown, onDismiss } = await connected()
    const close = await ask()
    push(kit, { name: 'WhatIsANetwork' })
    expect(onDismiss).not.toHaveBeenCalled()
    close()
    expect(shown()).toEqual(['ApproveTransaction', 'WhatIsANetwork'])
    kit.close()
    expect(onDismiss).not.toHaveBeenCalled()
  })

  test('error: is dismissed if its view cannot be shown', async () => {
    const { kit, ask, onDismiss } = await connected()
    kit.subscribe = () => {
      throw new TypeError('broken')
    }
    await ask()
    expect(onDismiss).toHaveBeenCalledOnce()
  })
})
