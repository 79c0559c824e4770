import { createFrame } from '../../../packages/kit/src/connectors/embeddedWallet/createFrame.ts'
import type { FrameBox } from '../../../packages/kit/src/connectors/embeddedWallet/createFrame.ts'

/** Embeds a frame. `ask` requests whether a user is logged in. */
function connect(url: string) {
  const cards: unknown[] = []
  const frame = createFrame({
    url: new URL(url),
    onReload() {},
    onCard: (card) => cards.push(card),
  })
  const outcomes: Promise<unknown>[] = []
  return {
    cards,
    place: (box: FrameBox) => frame.place(box),
    ask(options?: { timeoutMs?: number; signal?: AbortSignal }) {
      const outcome = frame.request('IS_CONNECTED', undefined, options).then(
        ({ isConnected }) => isConnected,
        (error: { code: string; message: string }) => ({
          code: error.code,
          message: error.message,
        }),
      )
      outcomes.push(outcome)
      return outcome
    },
    /** The outcome of a request, by its index. */
    outcome: (index: number) => outcomes[index],
  }
}

export type Client = {
  connect: typeof connect
  /** Set by the test. */
  connected: ReturnType<typeof connect>
}
Object.assign(window, { client: { connect } })
